-- Terms of leave policies say more: part-time, tenure, proration, rounding, how long leave is carried over, and a maximum. By the values
-- here, existing policies mean what they meant.

alter table leave_policy_terms add column part_time text not null default 'same';
alter table leave_policy_terms add column full_time_hours bigint not null default 400000;
alter table leave_policy_terms add column full_time_days bigint not null default 50000;
alter table leave_policy_terms add column tenure_steps text not null default '[]';
alter table leave_policy_terms add column tenure_steps_from text not null default 'anniversary';
alter table leave_policy_terms add column credit_at text not null default 'start';
alter table leave_policy_terms add column proration text not null default 'started_months';
alter table leave_policy_terms add column rounding text not null default 'none';
alter table leave_policy_terms add column rounding_step bigint not null default 10000;
alter table leave_policy_terms add column carry_over_until text;
alter table leave_policy_terms add column carry_over_months integer;
alter table leave_policy_terms add column maximum_balance bigint;
