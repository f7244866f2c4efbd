-- A policy of holidays knows the years of which it has records, and which country the years before had.
alter table holiday_policies add column filled_from integer;
alter table holiday_policies add column earlier_country_code text;

-- A working pattern keeps the hours that held before, and those that are to hold, with their first days.
alter table working_patterns add column versions text;
