-- The day from which an entry is known to those from whom plans are held back: when it is announced, and not before the entry that it
-- inherits from.

alter table employee_positions add column known_on date;
update employee_positions set known_on = coalesce(announced_on, effective_from);
alter table employment_statuses add column known_on date;
update employment_statuses set known_on = coalesce(announced_on, effective_from);
