-- Everything on an employee's record. Dated entries hold from effective_from until before effective_until.

create table employee_positions (
  account_id bigint not null references accounts (id),
  id bigint not null,
  employee_id bigint not null,
  effective_from date not null,
  effective_until date not null,
  position_id bigint,
  job_level_id bigint,
  location_id bigint,
  division_id bigint,
  department_id bigint,
  job_profile_id bigint,
  legal_entity_id bigint,
  reporting_to_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, employee_id, effective_from),
  foreign key (account_id, employee_id) references employees (account_id, id),
  foreign key (account_id, position_id) references positions (account_id, id),
  foreign key (account_id, job_level_id) references job_levels (account_id, id),
  foreign key (account_id, location_id) references locations (account_id, id),
  foreign key (account_id, division_id) references divisions (account_id, id),
  foreign key (account_id, department_id) references departments (account_id, id),
  foreign key (account_id, job_profile_id) references job_profiles (account_id, id),
  foreign key (account_id, legal_entity_id) references legal_entities (account_id, id),
  foreign key (account_id, reporting_to_id) references employees (account_id, id)
);
create index employee_positions_by_position on employee_positions (account_id, position_id);
create index employee_positions_by_job_level on employee_positions (account_id, job_level_id);
create index employee_positions_by_location on employee_positions (account_id, location_id);
create index employee_positions_by_division on employee_positions (account_id, division_id);
create index employee_positions_by_department on employee_positions (account_id, department_id);
create index employee_positions_by_job_profile on employee_positions (account_id, job_profile_id);
create index employee_positions_by_legal_entity on employee_positions (account_id, legal_entity_id);
create index employee_positions_by_reporting_to on employee_positions (account_id, reporting_to_id);

create table employment_statuses (
  account_id bigint not null references accounts (id),
  id bigint not null,
  employee_id bigint not null,
  effective_from date not null,
  effective_until date not null,
  employment_type_id bigint,
  working_pattern_id bigint,
  probation_policy_id bigint,
  comment text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, employee_id, effective_from),
  foreign key (account_id, employee_id) references employees (account_id, id),
  foreign key (account_id, employment_type_id) references employment_types (account_id, id),
  foreign key (account_id, working_pattern_id) references working_patterns (account_id, id),
  foreign key (account_id, probation_policy_id) references probation_policies (account_id, id)
);
create index employment_statuses_by_employment_type on employment_statuses (account_id, employment_type_id);
create index employment_statuses_by_working_pattern on employment_statuses (account_id, working_pattern_id);
create index employment_statuses_by_probation_policy on employment_statuses (account_id, probation_policy_id);

create table employee_field_groups (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

create table employee_fields (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  internal_name text not null,
  internal_name_key text not null,
  type text not null,
  group_id bigint not null,
  historical boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key),
  unique (account_id, internal_name_key),
  foreign key (account_id, group_id) references employee_field_groups (account_id, id)
);
create index employee_fields_by_group on employee_fields (account_id, group_id);

create table employee_field_options (
  account_id bigint not null references accounts (id),
  id bigint not null,
  employee_field_id bigint not null,
  value text not null,
  value_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, employee_field_id, value_key),
  foreign key (account_id, employee_field_id) references employee_fields (account_id, id)
);

create table employee_field_values (
  account_id bigint not null references accounts (id),
  id bigint not null,
  employee_id bigint not null,
  employee_field_id bigint not null,
  effective_from date not null,
  effective_until date not null,
  value text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, employee_id, employee_field_id, effective_from),
  foreign key (account_id, employee_id) references employees (account_id, id),
  foreign key (account_id, employee_field_id) references employee_fields (account_id, id)
);
create index employee_field_values_by_employee_field on employee_field_values (account_id, employee_field_id);

create table employee_documents (
  account_id bigint not null references accounts (id),
  id bigint not null,
  employee_id bigint not null,
  document_folder_id bigint not null,
  name text not null,
  type text not null,
  link text,
  file_hash text,
  file_name text,
  file_type text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, employee_id) references employees (account_id, id),
  foreign key (account_id, document_folder_id) references document_folders (account_id, id)
);
create index employee_documents_by_employee on employee_documents (account_id, employee_id);
create index employee_documents_by_document_folder on employee_documents (account_id, document_folder_id);

create table salaries (
  account_id bigint not null references accounts (id),
  id bigint not null,
  employee_id bigint not null,
  effective_on date not null,
  amount bigint not null,
  currency_code text not null,
  per text not null,
  overtime boolean not null,
  comment text not null,
  pay_schedule_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, employee_id) references employees (account_id, id),
  foreign key (account_id, pay_schedule_id) references pay_schedules (account_id, id)
);
create index salaries_by_employee on salaries (account_id, employee_id);
create index salaries_by_pay_schedule on salaries (account_id, pay_schedule_id);

create table additional_compensations (
  account_id bigint not null references accounts (id),
  id bigint not null,
  employee_id bigint not null,
  compensation_type_id bigint not null,
  type text not null,
  description text not null,
  amount bigint not null,
  currency_code text not null,
  starts_on date not null,
  ends_on date,
  frequency text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, employee_id) references employees (account_id, id),
  foreign key (account_id, compensation_type_id) references compensation_types (account_id, id)
);
create index additional_compensations_by_employee on additional_compensations (account_id, employee_id);
create index additional_compensations_by_compensation_type on additional_compensations (account_id, compensation_type_id);

create table employee_educations (
  account_id bigint not null references accounts (id),
  id bigint not null,
  employee_id bigint not null,
  school text not null,
  degree text not null,
  from_year text,
  to_year text,
  grade text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, employee_id) references employees (account_id, id)
);
create index employee_educations_by_employee on employee_educations (account_id, employee_id);

create table certifications (
  account_id bigint not null references accounts (id),
  id bigint not null,
  employee_id bigint not null,
  name text not null,
  issuer text not null,
  issued_on date,
  expires boolean not null,
  expires_on date,
  url text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, employee_id) references employees (account_id, id)
);
create index certifications_by_employee on certifications (account_id, employee_id);

create table dependents (
  account_id bigint not null references accounts (id),
  id bigint not null,
  employee_id bigint not null,
  first_name text not null,
  last_name text not null,
  relationship text,
  date_of_birth date,
  gender text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, employee_id) references employees (account_id, id)
);
create index dependents_by_employee on dependents (account_id, employee_id);

create table emergency_contacts (
  account_id bigint not null references accounts (id),
  id bigint not null,
  employee_id bigint not null,
  name text not null,
  relationship text,
  email text,
  work_phone_number text,
  home_phone_number text,
  mobile_phone_number text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, employee_id) references employees (account_id, id)
);
create index emergency_contacts_by_employee on emergency_contacts (account_id, employee_id);

create table employee_notes (
  account_id bigint not null references accounts (id),
  id bigint not null,
  employee_id bigint not null,
  body text not null,
  created_by_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, employee_id) references employees (account_id, id),
  foreign key (account_id, created_by_id) references employees (account_id, id)
);
create index employee_notes_by_employee on employee_notes (account_id, employee_id);
create index employee_notes_by_created_by on employee_notes (account_id, created_by_id);
