-- Recruitment: pipelines, vacancies, candidates and their applications.

create table sources (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

create table disqualify_reasons (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

create table recruitment_tags (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

create table pipelines (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

create table pipeline_stages (
  account_id bigint not null references accounts (id),
  id bigint not null,
  pipeline_id bigint not null,
  name text not null,
  position integer not null,
  type text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, pipeline_id) references pipelines (account_id, id)
);
create index pipeline_stages_by_pipeline on pipeline_stages (account_id, pipeline_id);

create table vacancies (
  account_id bigint not null references accounts (id),
  id bigint not null,
  title text not null,
  description text not null,
  state text not null,
  priority text not null,
  starts_on date,
  ends_on date,
  positions integer not null,
  currency_code text not null,
  minimum_salary bigint,
  maximum_salary bigint,
  post_on_careers boolean not null,
  opened_at timestamptz,
  position_id bigint,
  job_level_id bigint,
  division_id bigint,
  employment_type_id bigint not null,
  department_id bigint not null,
  location_id bigint not null,
  legal_entity_id bigint,
  recruitment_pipeline_id bigint not null,
  hiring_lead_user_id bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, position_id) references positions (account_id, id),
  foreign key (account_id, job_level_id) references job_levels (account_id, id),
  foreign key (account_id, division_id) references divisions (account_id, id),
  foreign key (account_id, employment_type_id) references employment_types (account_id, id),
  foreign key (account_id, department_id) references departments (account_id, id),
  foreign key (account_id, location_id) references locations (account_id, id),
  foreign key (account_id, legal_entity_id) references legal_entities (account_id, id),
  foreign key (account_id, recruitment_pipeline_id) references pipelines (account_id, id),
  foreign key (account_id, hiring_lead_user_id) references employees (account_id, id)
);
create index vacancies_by_position on vacancies (account_id, position_id);
create index vacancies_by_job_level on vacancies (account_id, job_level_id);
create index vacancies_by_division on vacancies (account_id, division_id);
create index vacancies_by_employment_type on vacancies (account_id, employment_type_id);
create index vacancies_by_department on vacancies (account_id, department_id);
create index vacancies_by_location on vacancies (account_id, location_id);
create index vacancies_by_legal_entity on vacancies (account_id, legal_entity_id);
create index vacancies_by_recruitment_pipeline on vacancies (account_id, recruitment_pipeline_id);
create index vacancies_by_hiring_lead_user on vacancies (account_id, hiring_lead_user_id);
create index vacancies_by_state on vacancies (account_id, state);
create index vacancies_by_priority on vacancies (account_id, priority);

create table vacancy_collaborators (
  account_id bigint not null references accounts (id),
  id bigint not null,
  vacancy_id bigint not null,
  user_id bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, vacancy_id, user_id),
  foreign key (account_id, vacancy_id) references vacancies (account_id, id),
  foreign key (account_id, user_id) references employees (account_id, id)
);
create index vacancy_collaborators_by_user on vacancy_collaborators (account_id, user_id);

create table vacancy_tags (
  account_id bigint not null references accounts (id),
  id bigint not null,
  vacancy_id bigint not null,
  tag_id bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, vacancy_id, tag_id),
  foreign key (account_id, vacancy_id) references vacancies (account_id, id),
  foreign key (account_id, tag_id) references recruitment_tags (account_id, id)
);
create index vacancy_tags_by_tag on vacancy_tags (account_id, tag_id);

create table vacancy_skills (
  account_id bigint not null references accounts (id),
  id bigint not null,
  vacancy_id bigint not null,
  name text not null,
  name_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, vacancy_id, name_key),
  foreign key (account_id, vacancy_id) references vacancies (account_id, id)
);

create table candidates (
  account_id bigint not null references accounts (id),
  id bigint not null,
  full_name text not null,
  full_name_key text collate "C" not null,
  email text,
  email_key text collate "C",
  cover_letter text not null,
  date_of_birth date,
  position text,
  location text,
  level text,
  phone_numbers text not null,
  urls text not null,
  desired_salary bigint,
  currency_code text,
  source_id bigint,
  created_by_id bigint,
  employee_id bigint,
  resume_hash text,
  resume_name text,
  resume_type text,
  consent_kept text not null,
  future_consent_kept text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, email_key),
  foreign key (account_id, source_id) references sources (account_id, id),
  foreign key (account_id, created_by_id) references employees (account_id, id),
  foreign key (account_id, employee_id) references employees (account_id, id)
);
create index candidates_by_source on candidates (account_id, source_id);
create index candidates_by_created_by on candidates (account_id, created_by_id);
create index candidates_by_employee on candidates (account_id, employee_id);
create index candidates_by_name on candidates (account_id, full_name_key);
create index candidates_by_creation on candidates (account_id, created_at);
create index candidates_by_change on candidates (account_id, updated_at);

create table candidate_phones (
  account_id bigint not null references accounts (id),
  id bigint not null,
  candidate_id bigint not null,
  number_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, candidate_id) references candidates (account_id, id)
);
create index candidate_phones_by_candidate on candidate_phones (account_id, candidate_id);
create index candidate_phones_by_number on candidate_phones (account_id, number_key);

create table candidate_skills (
  account_id bigint not null references accounts (id),
  id bigint not null,
  candidate_id bigint not null,
  name text not null,
  name_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, candidate_id, name_key),
  foreign key (account_id, candidate_id) references candidates (account_id, id)
);
create index candidate_skills_by_skill on candidate_skills (account_id, name_key, candidate_id);

create table candidate_tags (
  account_id bigint not null references accounts (id),
  id bigint not null,
  candidate_id bigint not null,
  tag_id bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, candidate_id, tag_id),
  foreign key (account_id, candidate_id) references candidates (account_id, id),
  foreign key (account_id, tag_id) references recruitment_tags (account_id, id)
);
create index candidate_tags_by_tag on candidate_tags (account_id, tag_id);

create table applications (
  account_id bigint not null references accounts (id),
  id bigint not null,
  vacancy_id bigint not null,
  candidate_id bigint not null,
  stage_id bigint not null,
  disqualified_at timestamptz,
  disqualify_reason_id bigint,
  disqualify_comment text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, vacancy_id, candidate_id),
  foreign key (account_id, stage_id) references pipeline_stages (account_id, id),
  foreign key (account_id, vacancy_id) references vacancies (account_id, id),
  foreign key (account_id, candidate_id) references candidates (account_id, id),
  foreign key (account_id, disqualify_reason_id) references disqualify_reasons (account_id, id)
);
create index applications_by_candidate on applications (account_id, candidate_id);
create index applications_by_disqualify_reason on applications (account_id, disqualify_reason_id);
create index applications_by_stage on applications (account_id, stage_id, candidate_id);

create table movements (
  account_id bigint not null references accounts (id),
  id bigint not null,
  application_id bigint not null,
  vacancy_id bigint not null,
  candidate_id bigint not null,
  stage_id bigint not null,
  created_by_id bigint,
  entered_at timestamptz not null,
  exited_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, application_id) references applications (account_id, id),
  foreign key (account_id, vacancy_id) references vacancies (account_id, id),
  foreign key (account_id, candidate_id) references candidates (account_id, id),
  foreign key (account_id, stage_id) references pipeline_stages (account_id, id),
  foreign key (account_id, created_by_id) references employees (account_id, id)
);
create index movements_by_application on movements (account_id, application_id);
create index movements_by_vacancy on movements (account_id, vacancy_id);
create index movements_by_candidate on movements (account_id, candidate_id);
create index movements_by_stage on movements (account_id, stage_id);
create index movements_by_created_by on movements (account_id, created_by_id);
create index movements_by_entry on movements (account_id, entered_at);

create table candidate_notes (
  account_id bigint not null references accounts (id),
  id bigint not null,
  candidate_id bigint not null,
  comment text not null,
  created_by_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, candidate_id) references candidates (account_id, id),
  foreign key (account_id, created_by_id) references employees (account_id, id)
);
create index candidate_notes_by_candidate on candidate_notes (account_id, candidate_id);
create index candidate_notes_by_created_by on candidate_notes (account_id, created_by_id);

create table candidate_educations (
  account_id bigint not null references accounts (id),
  id bigint not null,
  candidate_id bigint not null,
  school text not null,
  name text not null,
  from_year integer not null,
  to_year integer,
  subject text,
  description text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, candidate_id) references candidates (account_id, id)
);
create index candidate_educations_by_candidate on candidate_educations (account_id, candidate_id);

create table candidate_experiences (
  account_id bigint not null references accounts (id),
  id bigint not null,
  candidate_id bigint not null,
  title text not null,
  company text not null,
  starts_on date not null,
  ends_on date,
  location text,
  description text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, candidate_id) references candidates (account_id, id)
);
create index candidate_experiences_by_candidate on candidate_experiences (account_id, candidate_id);

create table candidate_documents (
  account_id bigint not null references accounts (id),
  id bigint not null,
  candidate_id bigint not null,
  filename text not null,
  file_hash text not null,
  file_type text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, candidate_id) references candidates (account_id, id)
);
create index candidate_documents_by_candidate on candidate_documents (account_id, candidate_id);

create table candidate_fields (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  internal_name text not null,
  internal_name_key text not null,
  type text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key),
  unique (account_id, internal_name_key)
);

create table candidate_field_options (
  account_id bigint not null references accounts (id),
  id bigint not null,
  candidate_field_id bigint not null,
  value text not null,
  value_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, candidate_field_id, value_key),
  foreign key (account_id, candidate_field_id) references candidate_fields (account_id, id)
);

create table candidate_field_values (
  account_id bigint not null references accounts (id),
  id bigint not null,
  candidate_id bigint not null,
  candidate_field_id bigint not null,
  value text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, candidate_id, candidate_field_id),
  foreign key (account_id, candidate_id) references candidates (account_id, id),
  foreign key (account_id, candidate_field_id) references candidate_fields (account_id, id)
);
create index candidate_field_values_by_candidate_field on candidate_field_values (account_id, candidate_field_id);

create table vacancy_fields (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  internal_name text not null,
  internal_name_key text not null,
  type text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key),
  unique (account_id, internal_name_key)
);

create table vacancy_field_options (
  account_id bigint not null references accounts (id),
  id bigint not null,
  vacancy_field_id bigint not null,
  value text not null,
  value_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, vacancy_field_id, value_key),
  foreign key (account_id, vacancy_field_id) references vacancy_fields (account_id, id)
);

create table vacancy_field_values (
  account_id bigint not null references accounts (id),
  id bigint not null,
  vacancy_id bigint not null,
  vacancy_field_id bigint not null,
  value text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, vacancy_id, vacancy_field_id),
  foreign key (account_id, vacancy_id) references vacancies (account_id, id),
  foreign key (account_id, vacancy_field_id) references vacancy_fields (account_id, id)
);
create index vacancy_field_values_by_vacancy_field on vacancy_field_values (account_id, vacancy_field_id);
