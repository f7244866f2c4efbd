-- Leave on demand, files of leave requests, and overtime.

-- Nothing that was asked for or adjusted so far was on demand.
alter table leave_requests add column on_demand boolean;
update leave_requests set on_demand = false;
alter table leave_adjustments add column on_demand boolean;
update leave_adjustments set on_demand = false;

create table leave_attachments (
  account_id bigint not null references accounts (id),
  id bigint not null,
  leave_request_id bigint not null,
  filename text not null,
  file_hash text not null,
  file_type text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, leave_request_id) references leave_requests (account_id, id)
);
create index leave_attachments_by_leave_request on leave_attachments (account_id, leave_request_id);
create index leave_attachments_by_file on leave_attachments (account_id, file_hash);

create table overtime_requests (
  account_id bigint not null references accounts (id),
  id bigint not null,
  employee_id bigint not null,
  date date not null,
  minutes integer not null,
  starts_at timestamptz,
  ends_at timestamptz,
  comment text not null,
  state text not null,
  decided_by_id bigint,
  decided_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, employee_id) references employees (account_id, id),
  foreign key (account_id, decided_by_id) references employees (account_id, id)
);
create index overtime_requests_by_employee on overtime_requests (account_id, employee_id, date);
create index overtime_requests_by_date on overtime_requests (account_id, date);
create index overtime_requests_by_state on overtime_requests (account_id, state);
create index overtime_requests_by_decided_by on overtime_requests (account_id, decided_by_id);
