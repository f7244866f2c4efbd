-- Accounts, keys, the ledger and the organisation's records. Runs as it stands on SQLite and on PostgreSQL.

create table accounts (
  id bigint not null primary key,
  name text not null,
  time_zone text not null,
  currency_code text not null,
  signing_key text not null,
  ledger_no bigint not null default 0,
  turn_at timestamptz not null,
  created_at timestamptz not null
);

create table counters (
  account_id bigint not null references accounts (id),
  resource text not null,
  last_id bigint not null,
  live bigint not null,
  primary key (account_id, resource)
);

create table ledger (
  account_id bigint not null references accounts (id),
  no bigint not null,
  at timestamptz not null,
  actor text not null,
  employee_id bigint,
  request_id text not null,
  operation text not null,
  resource text not null,
  record_id bigint not null,
  action text not null,
  before text,
  after text,
  primary key (account_id, no)
);
create index ledger_by_record on ledger (account_id, resource, record_id, no);

create table idempotency (
  account_id bigint not null references accounts (id),
  actor text not null,
  operation text not null,
  idempotency_key text not null,
  request_hash text not null,
  status integer not null,
  location text,
  body text,
  created_at timestamptz not null,
  primary key (account_id, actor, operation, idempotency_key)
);
create index idempotency_by_age on idempotency (account_id, created_at);

create table holiday_policies (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  country_code text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

create table holidays (
  account_id bigint not null references accounts (id),
  id bigint not null,
  holiday_policy_id bigint not null,
  name text not null,
  occurs_on date not null,
  working boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, holiday_policy_id, occurs_on, name),
  foreign key (account_id, holiday_policy_id) references holiday_policies (account_id, id)
);
create index holidays_by_date on holidays (account_id, occurs_on);

create table locations (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  address text,
  time_zone text not null,
  holiday_policy_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key),
  foreign key (account_id, holiday_policy_id) references holiday_policies (account_id, id)
);
create index locations_by_holiday_policy on locations (account_id, holiday_policy_id);

create table working_patterns (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  monday_hours bigint not null,
  tuesday_hours bigint not null,
  wednesday_hours bigint not null,
  thursday_hours bigint not null,
  friday_hours bigint not null,
  saturday_hours bigint not null,
  sunday_hours bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

create table probation_policies (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  length integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

create table document_folders (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  description text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

create table department_levels (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

create table divisions (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

create table positions (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

create table job_levels (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

create table job_profiles (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

create table employment_types (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

create table legal_entities (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

create table genders (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

create table termination_types (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

create table termination_reasons (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

create table compensation_types (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

create table pay_schedules (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

create table employees (
  account_id bigint not null references accounts (id),
  id bigint not null,
  employee_number text not null,
  employee_number_key text collate "C" not null,
  first_name text not null,
  first_name_key text collate "C" not null,
  middle_name text,
  middle_name_key text collate "C",
  last_name text not null,
  last_name_key text collate "C" not null,
  email text,
  email_key text collate "C",
  personal_email text,
  mobile_number text,
  work_phone_number text,
  home_phone_number text,
  date_of_birth date,
  birth_day_of_year integer,
  hired_on date,
  hired_day_of_year integer,
  probation_ends_on date,
  gender_id bigint,
  access boolean not null,
  avatar text,
  termination_effective_on date,
  termination_type_id bigint,
  termination_reason_id bigint,
  termination_comment text,
  termination_eligible_for_rehire boolean,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, employee_number_key),
  unique (account_id, email_key),
  foreign key (account_id, gender_id) references genders (account_id, id),
  foreign key (account_id, termination_type_id) references termination_types (account_id, id),
  foreign key (account_id, termination_reason_id) references termination_reasons (account_id, id)
);
create index employees_by_status on employees (account_id, termination_effective_on, hired_on, probation_ends_on);
create index employees_by_probation on employees (account_id, probation_ends_on);
create index employees_by_hiring on employees (account_id, hired_on);
create index employees_by_birthday on employees (account_id, birth_day_of_year);
create index employees_by_anniversary on employees (account_id, hired_day_of_year);
create index employees_by_creation on employees (account_id, created_at);
create index employees_by_change on employees (account_id, updated_at);
create index employees_by_first_name on employees (account_id, first_name_key);
create index employees_by_middle_name on employees (account_id, middle_name_key);
create index employees_by_last_name on employees (account_id, last_name_key);
create index employees_by_gender on employees (account_id, gender_id);
create index employees_by_termination_type on employees (account_id, termination_type_id);
create index employees_by_termination_reason on employees (account_id, termination_reason_id);

create table departments (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  parent_id bigint,
  manager_id bigint,
  department_level_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key),
  foreign key (account_id, parent_id) references departments (account_id, id),
  foreign key (account_id, manager_id) references employees (account_id, id),
  foreign key (account_id, department_level_id) references department_levels (account_id, id)
);
create index departments_by_parent on departments (account_id, parent_id);
create index departments_by_manager on departments (account_id, manager_id);
create index departments_by_level on departments (account_id, department_level_id);

create table teams (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  description text not null,
  team_lead_id bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key),
  foreign key (account_id, team_lead_id) references employees (account_id, id)
);
create index teams_by_lead on teams (account_id, team_lead_id);

create table team_members (
  account_id bigint not null references accounts (id),
  id bigint not null,
  team_id bigint not null,
  user_id bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, team_id, user_id),
  foreign key (account_id, team_id) references teams (account_id, id),
  foreign key (account_id, user_id) references employees (account_id, id)
);
create index team_members_by_user on team_members (account_id, user_id);

create table api_keys (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  hash text not null unique,
  hint text not null,
  permissions text not null,
  withheld text not null,
  employee_id bigint,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, employee_id) references employees (account_id, id)
);
create index api_keys_by_employee on api_keys (account_id, employee_id);

-- When a key was last used is no change of a record: it stands apart, outside the ledger.
create table api_key_uses (
  account_id bigint not null references accounts (id),
  key_id bigint not null,
  last_used_at timestamptz not null,
  primary key (account_id, key_id),
  foreign key (account_id, key_id) references api_keys (account_id, id)
);
