-- A policy of holidays knows the years of which it has records, and which country the years before had.
alter table holiday_policies add column filled_from integer;
alter table holiday_policies add column earlier_country_code text;
