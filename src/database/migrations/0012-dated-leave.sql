-- Policies of leave change from a day on, assignments end, and days of leave know the policy they were taken under.

create table leave_policy_terms (
  account_id bigint not null references accounts (id),
  id bigint not null,
  leave_policy_id bigint not null,
  effective_from date not null,
  effective_until date not null,
  activity_type text not null,
  counted_as text not null,
  yearly_amount bigint,
  credit text,
  carry_over_limit bigint,
  floor bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, leave_policy_id, effective_from),
  foreign key (account_id, leave_policy_id) references leave_policies (account_id, id)
);

-- What every policy said so far, it has said from the first day on.
insert into leave_policy_terms
  select account_id, id, id, '1900-01-01', '9999-12-31', activity_type, counted_as, yearly_amount, credit,
    carry_over_limit, floor, created_at, updated_at
  from leave_policies;
insert into counters (account_id, resource, last_id, live)
  select account_id, 'leave_policy_terms', last_id, live from counters where resource = 'leave_policies';

alter table leave_policies drop column activity_type;
alter table leave_policies drop column counted_as;
alter table leave_policies drop column yearly_amount;
alter table leave_policies drop column credit;
alter table leave_policies drop column carry_over_limit;
alter table leave_policies drop column floor;

-- A leave type can be assigned again, from another day on.
create table employee_leave_types_dated (
  account_id bigint not null references accounts (id),
  id bigint not null,
  employee_id bigint not null,
  leave_type_id bigint not null,
  leave_type_policy_id bigint not null,
  effective_on date not null,
  ends_on date,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, employee_id, leave_type_id, effective_on),
  foreign key (account_id, employee_id) references employees (account_id, id),
  foreign key (account_id, leave_type_id) references leave_types (account_id, id),
  foreign key (account_id, leave_type_policy_id) references leave_policies (account_id, id)
);
insert into employee_leave_types_dated
  select account_id, id, employee_id, leave_type_id, leave_type_policy_id, effective_on, null, created_at, updated_at
  from employee_leave_types;
drop table employee_leave_types;
alter table employee_leave_types_dated rename to employee_leave_types;
create index employee_leave_types_by_leave_type on employee_leave_types (account_id, leave_type_id);
create index employee_leave_types_by_leave_type_policy on employee_leave_types (account_id, leave_type_policy_id);

create table leave_entries_by_policy (
  account_id bigint not null references accounts (id),
  id bigint not null,
  leave_request_id bigint not null,
  employee_id bigint not null,
  leave_type_policy_id bigint not null,
  date date not null,
  amount bigint not null,
  minutes integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, leave_request_id, date),
  foreign key (account_id, leave_request_id) references leave_requests (account_id, id),
  foreign key (account_id, employee_id) references employees (account_id, id),
  foreign key (account_id, leave_type_policy_id) references leave_policies (account_id, id)
);
insert into leave_entries_by_policy
  select e.account_id, e.id, e.leave_request_id, e.employee_id, r.leave_type_policy_id, e.date, e.amount, e.minutes,
    e.created_at, e.updated_at
  from leave_entries e
  join leave_requests r on r.account_id = e.account_id and r.id = e.leave_request_id;
drop table leave_entries;
alter table leave_entries_by_policy rename to leave_entries;
create index leave_entries_by_employee on leave_entries (account_id, employee_id, date);
create index leave_entries_by_leave_type_policy on leave_entries (account_id, leave_type_policy_id);

-- The amounts that were asked for on single days; of older requests, those that they have.
alter table leave_requests add column asked text;
update leave_requests set asked = (
  select '{' || string_agg('"' || e.date || '":' || e.amount, ',') || '}'
  from leave_entries e
  where e.account_id = leave_requests.account_id and e.leave_request_id = leave_requests.id
);
