-- Leave policies may credit approved overtime. Existing policies do not.

alter table leave_policy_terms add column overtime_factor bigint;
alter table leave_policy_terms add column overtime_months integer;
