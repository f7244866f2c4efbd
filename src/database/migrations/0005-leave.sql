-- Leave: types, policies, who has which, adjustments and requests.

create table leave_types (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  unit text not null,
  hex_color text,
  fa_class text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

create table leave_policies (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  leave_type_id bigint not null,
  type text not null,
  activity_type text not null,
  counted_as text not null,
  visibility boolean not null,
  yearly_amount bigint,
  credit text,
  carry_over_limit bigint,
  floor bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key),
  foreign key (account_id, leave_type_id) references leave_types (account_id, id)
);
create index leave_policies_by_leave_type on leave_policies (account_id, leave_type_id);

create table employee_leave_types (
  account_id bigint not null references accounts (id),
  id bigint not null,
  employee_id bigint not null,
  leave_type_id bigint not null,
  leave_type_policy_id bigint not null,
  effective_on date not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, employee_id, leave_type_id),
  foreign key (account_id, employee_id) references employees (account_id, id),
  foreign key (account_id, leave_type_id) references leave_types (account_id, id),
  foreign key (account_id, leave_type_policy_id) references leave_policies (account_id, id)
);
create index employee_leave_types_by_leave_type on employee_leave_types (account_id, leave_type_id);
create index employee_leave_types_by_leave_type_policy on employee_leave_types (account_id, leave_type_policy_id);

create table leave_adjustments (
  account_id bigint not null references accounts (id),
  id bigint not null,
  employee_id bigint not null,
  leave_type_id bigint not null,
  occurred_on date not null,
  amount bigint not null,
  description text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, employee_id) references employees (account_id, id),
  foreign key (account_id, leave_type_id) references leave_types (account_id, id)
);
create index leave_adjustments_by_leave_type on leave_adjustments (account_id, leave_type_id);
create index leave_adjustments_by_employee on leave_adjustments (account_id, employee_id, leave_type_id, occurred_on);

create table leave_requests (
  account_id bigint not null references accounts (id),
  id bigint not null,
  employee_id bigint not null,
  leave_type_id bigint not null,
  leave_type_policy_id bigint not null,
  state text not null,
  starts_on date not null,
  ends_on date not null,
  amount bigint not null,
  comment text not null,
  decided_by_id bigint,
  decided_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, employee_id) references employees (account_id, id),
  foreign key (account_id, leave_type_id) references leave_types (account_id, id),
  foreign key (account_id, leave_type_policy_id) references leave_policies (account_id, id),
  foreign key (account_id, decided_by_id) references employees (account_id, id)
);
create index leave_requests_by_leave_type on leave_requests (account_id, leave_type_id);
create index leave_requests_by_leave_type_policy on leave_requests (account_id, leave_type_policy_id);
create index leave_requests_by_decided_by on leave_requests (account_id, decided_by_id);
create index leave_requests_by_employee on leave_requests (account_id, employee_id, starts_on);
create index leave_requests_by_start on leave_requests (account_id, starts_on);
create index leave_requests_by_state on leave_requests (account_id, state);

create table leave_entries (
  account_id bigint not null references accounts (id),
  id bigint not null,
  leave_request_id bigint not null,
  employee_id bigint not null,
  date date not null,
  amount bigint not null,
  minutes integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, leave_request_id, date),
  foreign key (account_id, leave_request_id) references leave_requests (account_id, id),
  foreign key (account_id, employee_id) references employees (account_id, id)
);
create index leave_entries_by_employee on leave_entries (account_id, employee_id, date);
