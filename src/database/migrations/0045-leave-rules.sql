-- Terms of leave policies say more: part-time, tenure, proration, rounding, how long leave is carried over, and a maximum. By the values
-- here, existing policies mean what they meant.

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
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, leave_policy_id, effective_from),
  foreign key (account_id, leave_policy_id) references leave_policies (account_id, id)
);
insert into new_leave_policy_terms
  select account_id, id, leave_policy_id, effective_from, effective_until, stated, activity_type, counted_as, yearly_amount,
    'same', 400000, 50000, '[]', 'anniversary', credit, 'start_of_period', 'started_months', 'none', 10000,
    carry_over_limit, null, null, null, floor, created_at, updated_at
  from leave_policy_terms;
drop table leave_policy_terms;
alter table new_leave_policy_terms rename to leave_policy_terms;
