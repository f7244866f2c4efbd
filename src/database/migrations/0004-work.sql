-- Work: tasks, performance and time.

create table tasks (
  account_id bigint not null references accounts (id),
  id bigint not null,
  type text not null,
  name text not null,
  description text not null,
  employee_id bigint not null,
  created_by_id bigint,
  starts_on date not null,
  ends_on date,
  completed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, employee_id) references employees (account_id, id),
  foreign key (account_id, created_by_id) references employees (account_id, id)
);
create index tasks_by_employee on tasks (account_id, employee_id);
create index tasks_by_created_by on tasks (account_id, created_by_id);
create index tasks_by_start on tasks (account_id, starts_on);
create index tasks_by_completion on tasks (account_id, completed_at);

create table key_performance_indicators (
  account_id bigint not null references accounts (id),
  id bigint not null,
  title text not null,
  description text,
  weight integer,
  currency_code text,
  metric text not null,
  kpi_type text not null,
  status_kept text,
  starts_on date,
  ends_on date,
  start_value bigint,
  target_value bigint,
  location_id bigint,
  division_id bigint,
  department_id bigint,
  user_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, location_id) references locations (account_id, id),
  foreign key (account_id, division_id) references divisions (account_id, id),
  foreign key (account_id, department_id) references departments (account_id, id),
  foreign key (account_id, user_id) references employees (account_id, id)
);
create index key_performance_indicators_by_location on key_performance_indicators (account_id, location_id);
create index key_performance_indicators_by_division on key_performance_indicators (account_id, division_id);
create index key_performance_indicators_by_department on key_performance_indicators (account_id, department_id);
create index key_performance_indicators_by_user on key_performance_indicators (account_id, user_id);
create index key_performance_indicators_by_type on key_performance_indicators (account_id, kpi_type);

create table kpi_results (
  account_id bigint not null references accounts (id),
  id bigint not null,
  key_performance_indicator_id bigint not null,
  value bigint not null,
  occurred_on date not null,
  comment text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, key_performance_indicator_id) references key_performance_indicators (account_id, id)
);
create index kpi_results_by_indicator on kpi_results (account_id, key_performance_indicator_id, occurred_on);

create table objectives (
  account_id bigint not null references accounts (id),
  id bigint not null,
  title text not null,
  description text not null,
  starts_on date,
  ends_on date,
  owner_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, owner_id) references employees (account_id, id)
);
create index objectives_by_owner on objectives (account_id, owner_id);

create table key_results (
  account_id bigint not null references accounts (id),
  id bigint not null,
  objective_id bigint not null,
  title text not null,
  metric text not null,
  currency_code text,
  start bigint not null,
  target bigint not null,
  current bigint not null,
  weight integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, objective_id) references objectives (account_id, id)
);
create index key_results_by_objective on key_results (account_id, objective_id);

create table projects (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  emoji text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

create table project_users (
  account_id bigint not null references accounts (id),
  id bigint not null,
  project_id bigint not null,
  employee_id bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, project_id, employee_id),
  foreign key (account_id, project_id) references projects (account_id, id),
  foreign key (account_id, employee_id) references employees (account_id, id)
);
create index project_users_by_employee on project_users (account_id, employee_id);

create table timesheet_entries (
  account_id bigint not null references accounts (id),
  id bigint not null,
  employee_id bigint not null,
  project_id bigint,
  type text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  date date not null,
  minutes integer not null,
  comment text not null,
  status text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, project_id) references projects (account_id, id),
  foreign key (account_id, employee_id) references employees (account_id, id)
);
create index timesheet_entries_by_project on timesheet_entries (account_id, project_id);
create index timesheet_entries_by_employee on timesheet_entries (account_id, employee_id, starts_at);
create index timesheet_entries_by_date on timesheet_entries (account_id, date);
