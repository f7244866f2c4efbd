-- Names of settings, teams, projects and tasks are found by their words; those that are there already get theirs at the
-- next start. Leave and hires are counted by their days.

insert into after_commit (account_id, id, kind, details, created_at)
select id, 'words-of-settings', 'index_words', '{}', created_at from accounts;

create index leave_entries_by_date on leave_entries (account_id, date, employee_id);
create index hires_by_creation on hires (account_id, created_at, id);
