-- A note about somebody is shown to them only when it is shared with them. What is planned for somebody is shown to them from its
-- day on, or from the day on which it is announced. Roles are brought up to date at the next start.

alter table employee_notes add column shared_with_employee boolean;
update employee_notes set shared_with_employee = false;

alter table employee_positions add column announced_on date;
alter table employee_positions add column end_announced_on date;
alter table employment_statuses add column announced_on date;
alter table employment_statuses add column end_announced_on date;
alter table salaries add column announced_on date;
alter table additional_compensations add column announced_on date;
alter table employees add column termination_announced_on date;

-- The two parts of a candidate's name, where they were sent.
alter table candidates add column given_name text;
alter table candidates add column family_name text;

-- Whoever is hired is looked for among those who are there, by the address that they applied with.
create index employees_by_personal_email on employees (account_id, personal_email);

alter table roles add column revision integer;
update roles set revision = 0;
