-- Rules for breaks and overtime of working patterns. Existing patterns have none.

create table time_rules (
  account_id bigint not null references accounts (id),
  id bigint not null,
  working_pattern_id bigint not null,
  effective_from date not null,
  break_deductions text not null,
  overtime_per text,
  overtime_after_minutes integer not null,
  base_factor bigint not null,
  night_starts_at text,
  night_ends_at text,
  night_factor bigint,
  sunday_factor bigint,
  holiday_factor bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, working_pattern_id, effective_from),
  foreign key (account_id, working_pattern_id) references working_patterns (account_id, id)
);

-- Overtime with factors. Null: the minutes themselves.
alter table overtime_requests add column credited_minutes integer;
