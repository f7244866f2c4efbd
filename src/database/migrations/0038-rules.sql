-- A hire names the application that led to it, so that one without an employee record takes its place, too. SQLite cannot add
-- a foreign key to a table, so it is made anew.

create table new_hires (
  account_id bigint not null references accounts (id),
  id bigint not null,
  vacancy_id bigint not null,
  employee_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  application_id bigint,
  primary key (account_id, id),
  unique (account_id, employee_id),
  unique (account_id, application_id),
  foreign key (account_id, vacancy_id) references vacancies (account_id, id),
  foreign key (account_id, application_id) references applications (account_id, id),
  foreign key (account_id, employee_id) references employees (account_id, id)
);
insert into new_hires (account_id, id, vacancy_id, employee_id, created_at, updated_at, application_id)
  select h.account_id, h.id, h.vacancy_id, h.employee_id, h.created_at, h.updated_at, min(a.id)
  from hires h
  left join candidates c on c.account_id = h.account_id and c.employee_id = h.employee_id
  left join applications a on a.account_id = h.account_id and a.candidate_id = c.id and a.vacancy_id = h.vacancy_id
  group by h.account_id, h.id, h.vacancy_id, h.employee_id, h.created_at, h.updated_at;
drop table hires;
alter table new_hires rename to hires;
create index hires_by_vacancy on hires (account_id, vacancy_id);
create index hires_by_creation on hires (account_id, created_at, id);

-- Texts are sorted by their letters, then by their accents, in the order of the bytes of their keys on both engines. Keys and words of
-- letters beyond ASCII are made anew at the next start.
alter table roles alter column name_key type text collate "C";
alter table users alter column email_key type text collate "C";
alter table identity_providers alter column name_key type text collate "C";
alter table skills alter column name_key type text collate "C";
alter table external_users alter column email_key type text collate "C";
alter table employee_field_groups alter column name_key type text collate "C";
alter table employee_fields alter column name_key type text collate "C";
alter table employee_fields alter column internal_name_key type text collate "C";
alter table employee_field_options alter column value_key type text collate "C";
alter table employee_tables alter column name_key type text collate "C";
alter table employee_tables alter column internal_name_key type text collate "C";
alter table employee_table_columns alter column name_key type text collate "C";
alter table employee_table_columns alter column internal_name_key type text collate "C";
alter table employee_table_column_options alter column value_key type text collate "C";
alter table departments alter column name_key type text collate "C";
alter table department_levels alter column name_key type text collate "C";
alter table divisions alter column name_key type text collate "C";
alter table positions alter column name_key type text collate "C";
alter table job_levels alter column name_key type text collate "C";
alter table job_groups alter column name_key type text collate "C";
alter table employment_types alter column name_key type text collate "C";
alter table legal_entities alter column name_key type text collate "C";
alter table genders alter column name_key type text collate "C";
alter table termination_types alter column name_key type text collate "C";
alter table termination_reasons alter column name_key type text collate "C";
alter table compensation_types alter column name_key type text collate "C";
alter table pay_schedules alter column name_key type text collate "C";
alter table job_profiles alter column name_key type text collate "C";
alter table locations alter column name_key type text collate "C";
alter table holiday_policies alter column name_key type text collate "C";
alter table working_patterns alter column name_key type text collate "C";
alter table probation_policies alter column name_key type text collate "C";
alter table document_folders alter column name_key type text collate "C";
alter table teams alter column name_key type text collate "C";
alter table pipelines alter column name_key type text collate "C";
alter table sources alter column name_key type text collate "C";
alter table disqualify_reasons alter column name_key type text collate "C";
alter table recruitment_tags alter column name_key type text collate "C";
alter table vacancy_skills alter column name_key type text collate "C";
alter table vacancy_fields alter column name_key type text collate "C";
alter table vacancy_fields alter column internal_name_key type text collate "C";
alter table vacancy_field_options alter column value_key type text collate "C";
alter table candidate_skills alter column name_key type text collate "C";
alter table candidate_fields alter column name_key type text collate "C";
alter table candidate_fields alter column internal_name_key type text collate "C";
alter table candidate_field_options alter column value_key type text collate "C";
alter table competencies alter column name_key type text collate "C";
alter table projects alter column name_key type text collate "C";
alter table leave_types alter column name_key type text collate "C";
alter table leave_policies alter column name_key type text collate "C";
alter table asset_categories alter column name_key type text collate "C";
alter table assets alter column code_key type text collate "C";
alter table assets alter column serial_number_key type text collate "C";
alter table knowledge_base_categories alter column name_key type text collate "C";
alter table employees alter column email_key type text collate "C";
insert into after_commit (account_id, id, kind, details, created_at)
select id, 'keys-by-letters', 'fold_keys', '{}', created_at from accounts;
insert into after_commit (account_id, id, kind, details, created_at)
select id, 'words-by-letters', 'index_words', '{}', created_at from accounts;
