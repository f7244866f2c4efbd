-- Skills, groups of job profiles, people outside the company, what a task is about, and more that is known of people.

create table skills (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

create table employee_skills (
  account_id bigint not null references accounts (id),
  id bigint not null,
  employee_id bigint not null,
  skill_id bigint not null,
  level text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, employee_id, skill_id),
  foreign key (account_id, employee_id) references employees (account_id, id),
  foreign key (account_id, skill_id) references skills (account_id, id)
);
create index employee_skills_by_skill on employee_skills (account_id, skill_id, level);
create index employee_skills_by_level on employee_skills (account_id, level);

create table external_users (
  account_id bigint not null references accounts (id),
  id bigint not null,
  active boolean not null,
  access boolean not null,
  first_name text not null,
  last_name text not null,
  email text not null,
  email_key text not null,
  role text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, email_key)
);
create index external_users_by_creation on external_users (account_id, created_at);

create table job_groups (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  description text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

-- SQLite cannot add a reference to a table: job profiles are made anew, and with them the entries that name them.
create table job_profiles_grouped (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  job_group_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key),
  foreign key (account_id, job_group_id) references job_groups (account_id, id)
);
insert into job_profiles_grouped
  select account_id, id, name, name_key, null, created_at, updated_at from job_profiles;

create table employee_positions_anew (
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
  foreign key (account_id, job_profile_id) references job_profiles_grouped (account_id, id),
  foreign key (account_id, legal_entity_id) references legal_entities (account_id, id),
  foreign key (account_id, reporting_to_id) references employees (account_id, id)
);
insert into employee_positions_anew
  select account_id, id, employee_id, effective_from, effective_until, position_id, job_level_id, location_id,
    division_id, department_id, job_profile_id, legal_entity_id, reporting_to_id, created_at, updated_at
  from employee_positions;
drop table employee_positions;
drop table job_profiles;
alter table job_profiles_grouped rename to job_profiles;
alter table employee_positions_anew rename to employee_positions;
create index job_profiles_by_job_group on job_profiles (account_id, job_group_id);
create index employee_positions_by_position on employee_positions (account_id, position_id);
create index employee_positions_by_job_level on employee_positions (account_id, job_level_id);
create index employee_positions_by_location on employee_positions (account_id, location_id);
create index employee_positions_by_division on employee_positions (account_id, division_id);
create index employee_positions_by_department on employee_positions (account_id, department_id);
create index employee_positions_by_job_profile on employee_positions (account_id, job_profile_id);
create index employee_positions_by_legal_entity on employee_positions (account_id, legal_entity_id);
create index employee_positions_by_reporting_to on employee_positions (account_id, reporting_to_id);

create table tasks_about_somebody (
  account_id bigint not null references accounts (id),
  id bigint not null,
  type text not null,
  name text not null,
  description text not null,
  employee_id bigint not null,
  created_by_id bigint,
  associated_employee_id bigint,
  associated_candidate_id bigint,
  starts_on date not null,
  ends_on date,
  completed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, employee_id) references employees (account_id, id),
  foreign key (account_id, created_by_id) references employees (account_id, id),
  foreign key (account_id, associated_employee_id) references employees (account_id, id),
  foreign key (account_id, associated_candidate_id) references candidates (account_id, id)
);
insert into tasks_about_somebody
  select account_id, id, type, name, description, employee_id, created_by_id, null, null, starts_on, ends_on,
    completed_at, created_at, updated_at
  from tasks;
drop table tasks;
alter table tasks_about_somebody rename to tasks;
create index tasks_by_employee on tasks (account_id, employee_id);
create index tasks_by_created_by on tasks (account_id, created_by_id);
create index tasks_by_associated_employee on tasks (account_id, associated_employee_id);
create index tasks_by_associated_candidate on tasks (account_id, associated_candidate_id);
create index tasks_by_start on tasks (account_id, starts_on);
create index tasks_by_completion on tasks (account_id, completed_at);

alter table employees add column slack_username text;
alter table employees add column linkedin_url text;
alter table employees add column skype_username text;
alter table employees add column twitter_username text;
alter table employees add column facebook_url text;

alter table locations add column country_code text;

alter table certifications add column file_hash text;
alter table certifications add column file_name text;
alter table certifications add column file_type text;
create index certifications_by_file on certifications (account_id, file_hash);
