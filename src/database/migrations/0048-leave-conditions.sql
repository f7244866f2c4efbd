-- Conditions of leave policies for requests, blocked periods and eligible groups. By the values here, existing policies restrict nothing more.

create table new_leave_policy_terms (
  account_id bigint not null references accounts (id),
  id bigint not null,
  leave_policy_id bigint not null,
  effective_from date not null,
  effective_until date not null,
  stated text,
  activity_type text not null,
  counted_as text not null,
  yearly_amount bigint,
  part_time text not null,
  full_time_hours bigint not null,
  full_time_days bigint not null,
  tenure_steps text not null,
  tenure_steps_from text not null,
  credit text,
  credit_at text not null,
  proration text not null,
  rounding text not null,
  rounding_step bigint not null,
  carry_over_limit bigint,
  carry_over_until text,
  carry_over_months integer,
  maximum_balance bigint,
  floor bigint not null,
  paid_percentage bigint,
  waiting_period integer,
  waiting_period_unit text not null,
  allowed_in_probation boolean not null,
  notice_days integer,
  day_amounts text not null,
  minimum_amount bigint,
  maximum_amount bigint,
  monthly_maximum bigint,
  yearly_maximum bigint,
  attachment_from_day integer,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, leave_policy_id, effective_from),
  foreign key (account_id, leave_policy_id) references leave_policies (account_id, id)
);
insert into new_leave_policy_terms
  select account_id, id, leave_policy_id, effective_from, effective_until, stated, activity_type, counted_as, yearly_amount, part_time,
    full_time_hours, full_time_days, tenure_steps, tenure_steps_from, credit, credit_at, proration, rounding, rounding_step,
    carry_over_limit, carry_over_until, carry_over_months, maximum_balance, floor, null, null, 'months', true, null, 'any', null, null, null, null,
    null, created_at, updated_at
  from leave_policy_terms;
drop table leave_policy_terms;
alter table new_leave_policy_terms rename to leave_policy_terms;

alter table leave_requests add column override_reason text;

create table blocked_periods (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  starts_on date not null,
  ends_on date not null,
  leave_type_id bigint,
  department_id bigint,
  location_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, leave_type_id) references leave_types (account_id, id),
  foreign key (account_id, department_id) references departments (account_id, id),
  foreign key (account_id, location_id) references locations (account_id, id)
);
create index blocked_periods_by_start on blocked_periods (account_id, starts_on);
create index blocked_periods_by_end on blocked_periods (account_id, ends_on);
create index blocked_periods_by_type on blocked_periods (account_id, leave_type_id);
create index blocked_periods_by_department on blocked_periods (account_id, department_id);
create index blocked_periods_by_location on blocked_periods (account_id, location_id);
create index blocked_periods_by_creation on blocked_periods (account_id, created_at, id);
create index blocked_periods_by_change on blocked_periods (account_id, updated_at, id);

create table eligible_groups (
  account_id bigint not null references accounts (id),
  id bigint not null,
  leave_policy_id bigint not null,
  location_id bigint,
  department_id bigint,
  employment_type_id bigint,
  gender_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, leave_policy_id) references leave_policies (account_id, id),
  foreign key (account_id, location_id) references locations (account_id, id),
  foreign key (account_id, department_id) references departments (account_id, id),
  foreign key (account_id, employment_type_id) references employment_types (account_id, id),
  foreign key (account_id, gender_id) references genders (account_id, id)
);
create index eligible_groups_by_policy on eligible_groups (account_id, leave_policy_id);
create index eligible_groups_by_location on eligible_groups (account_id, location_id);
create index eligible_groups_by_department on eligible_groups (account_id, department_id);
create index eligible_groups_by_employment_type on eligible_groups (account_id, employment_type_id);
create index eligible_groups_by_gender on eligible_groups (account_id, gender_id);
