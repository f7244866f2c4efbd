-- Dated entries say which fields they change; the others are those of the entry before, also when that is changed later. An
-- entry from before says itself what differs from the entry before it, and what it was changed to on purpose: so nobody's
-- job is another one by this, on any day. Undone changes count too, which keeps a value where it might follow.

alter table employee_positions add column stated text;
update employee_positions as entry set stated = '[' || substr(
  case when not exists (
    select 1 from employee_positions earlier where earlier.account_id = entry.account_id and earlier.employee_id = entry.employee_id
      and earlier.effective_until = entry.effective_from and earlier.position_id is not distinct from entry.position_id
  ) or exists (
    select 1 from ledger where ledger.account_id = entry.account_id and ledger.resource = 'employee_positions'
      and ledger.record_id = entry.id and ledger.action = 'update' and ledger.after like '%"position_id":%'
  ) then ',"position_id"' else '' end ||
  case when not exists (
    select 1 from employee_positions earlier where earlier.account_id = entry.account_id and earlier.employee_id = entry.employee_id
      and earlier.effective_until = entry.effective_from and earlier.job_level_id is not distinct from entry.job_level_id
  ) or exists (
    select 1 from ledger where ledger.account_id = entry.account_id and ledger.resource = 'employee_positions'
      and ledger.record_id = entry.id and ledger.action = 'update' and ledger.after like '%"job_level_id":%'
  ) then ',"job_level_id"' else '' end ||
  case when not exists (
    select 1 from employee_positions earlier where earlier.account_id = entry.account_id and earlier.employee_id = entry.employee_id
      and earlier.effective_until = entry.effective_from and earlier.location_id is not distinct from entry.location_id
  ) or exists (
    select 1 from ledger where ledger.account_id = entry.account_id and ledger.resource = 'employee_positions'
      and ledger.record_id = entry.id and ledger.action = 'update' and ledger.after like '%"location_id":%'
  ) then ',"location_id"' else '' end ||
  case when not exists (
    select 1 from employee_positions earlier where earlier.account_id = entry.account_id and earlier.employee_id = entry.employee_id
      and earlier.effective_until = entry.effective_from and earlier.division_id is not distinct from entry.division_id
  ) or exists (
    select 1 from ledger where ledger.account_id = entry.account_id and ledger.resource = 'employee_positions'
      and ledger.record_id = entry.id and ledger.action = 'update' and ledger.after like '%"division_id":%'
  ) then ',"division_id"' else '' end ||
  case when not exists (
    select 1 from employee_positions earlier where earlier.account_id = entry.account_id and earlier.employee_id = entry.employee_id
      and earlier.effective_until = entry.effective_from and earlier.department_id is not distinct from entry.department_id
  ) or exists (
    select 1 from ledger where ledger.account_id = entry.account_id and ledger.resource = 'employee_positions'
      and ledger.record_id = entry.id and ledger.action = 'update' and ledger.after like '%"department_id":%'
  ) then ',"department_id"' else '' end ||
  case when not exists (
    select 1 from employee_positions earlier where earlier.account_id = entry.account_id and earlier.employee_id = entry.employee_id
      and earlier.effective_until = entry.effective_from and earlier.job_profile_id is not distinct from entry.job_profile_id
  ) or exists (
    select 1 from ledger where ledger.account_id = entry.account_id and ledger.resource = 'employee_positions'
      and ledger.record_id = entry.id and ledger.action = 'update' and ledger.after like '%"job_profile_id":%'
  ) then ',"job_profile_id"' else '' end ||
  case when not exists (
    select 1 from employee_positions earlier where earlier.account_id = entry.account_id and earlier.employee_id = entry.employee_id
      and earlier.effective_until = entry.effective_from and earlier.legal_entity_id is not distinct from entry.legal_entity_id
  ) or exists (
    select 1 from ledger where ledger.account_id = entry.account_id and ledger.resource = 'employee_positions'
      and ledger.record_id = entry.id and ledger.action = 'update' and ledger.after like '%"legal_entity_id":%'
  ) then ',"legal_entity_id"' else '' end ||
  case when not exists (
    select 1 from employee_positions earlier where earlier.account_id = entry.account_id and earlier.employee_id = entry.employee_id
      and earlier.effective_until = entry.effective_from and earlier.reporting_to_id is not distinct from entry.reporting_to_id
  ) or exists (
    select 1 from ledger where ledger.account_id = entry.account_id and ledger.resource = 'employee_positions'
      and ledger.record_id = entry.id and ledger.action = 'update' and ledger.after like '%"reporting_to_id":%'
  ) then ',"reporting_to_id"' else '' end
, 2) || ']';

alter table employment_statuses add column stated text;
update employment_statuses as entry set stated = '[' || substr(
  case when not exists (
    select 1 from employment_statuses earlier where earlier.account_id = entry.account_id and earlier.employee_id = entry.employee_id
      and earlier.effective_until = entry.effective_from and earlier.employment_type_id is not distinct from entry.employment_type_id
  ) or exists (
    select 1 from ledger where ledger.account_id = entry.account_id and ledger.resource = 'employment_statuses'
      and ledger.record_id = entry.id and ledger.action = 'update' and ledger.after like '%"employment_type_id":%'
  ) then ',"employment_type_id"' else '' end ||
  case when not exists (
    select 1 from employment_statuses earlier where earlier.account_id = entry.account_id and earlier.employee_id = entry.employee_id
      and earlier.effective_until = entry.effective_from and earlier.working_pattern_id is not distinct from entry.working_pattern_id
  ) or exists (
    select 1 from ledger where ledger.account_id = entry.account_id and ledger.resource = 'employment_statuses'
      and ledger.record_id = entry.id and ledger.action = 'update' and ledger.after like '%"working_pattern_id":%'
  ) then ',"working_pattern_id"' else '' end ||
  case when not exists (
    select 1 from employment_statuses earlier where earlier.account_id = entry.account_id and earlier.employee_id = entry.employee_id
      and earlier.effective_until = entry.effective_from and earlier.probation_policy_id is not distinct from entry.probation_policy_id
  ) or exists (
    select 1 from ledger where ledger.account_id = entry.account_id and ledger.resource = 'employment_statuses'
      and ledger.record_id = entry.id and ledger.action = 'update' and ledger.after like '%"probation_policy_id":%'
  ) then ',"probation_policy_id"' else '' end
, 2) || ']';

alter table leave_policy_terms add column stated text;
update leave_policy_terms as entry set stated = '[' || substr(
  case when not exists (
    select 1 from leave_policy_terms earlier where earlier.account_id = entry.account_id and earlier.leave_policy_id = entry.leave_policy_id
      and earlier.effective_until = entry.effective_from and earlier.activity_type is not distinct from entry.activity_type
  ) or exists (
    select 1 from ledger where ledger.account_id = entry.account_id and ledger.resource = 'leave_policy_terms'
      and ledger.record_id = entry.id and ledger.action = 'update' and ledger.after like '%"activity_type":%'
  ) then ',"activity_type"' else '' end ||
  case when not exists (
    select 1 from leave_policy_terms earlier where earlier.account_id = entry.account_id and earlier.leave_policy_id = entry.leave_policy_id
      and earlier.effective_until = entry.effective_from and earlier.counted_as is not distinct from entry.counted_as
  ) or exists (
    select 1 from ledger where ledger.account_id = entry.account_id and ledger.resource = 'leave_policy_terms'
      and ledger.record_id = entry.id and ledger.action = 'update' and ledger.after like '%"counted_as":%'
  ) then ',"counted_as"' else '' end ||
  case when not exists (
    select 1 from leave_policy_terms earlier where earlier.account_id = entry.account_id and earlier.leave_policy_id = entry.leave_policy_id
      and earlier.effective_until = entry.effective_from and earlier.yearly_amount is not distinct from entry.yearly_amount
  ) or exists (
    select 1 from ledger where ledger.account_id = entry.account_id and ledger.resource = 'leave_policy_terms'
      and ledger.record_id = entry.id and ledger.action = 'update' and ledger.after like '%"yearly_amount":%'
  ) then ',"yearly_amount"' else '' end ||
  case when not exists (
    select 1 from leave_policy_terms earlier where earlier.account_id = entry.account_id and earlier.leave_policy_id = entry.leave_policy_id
      and earlier.effective_until = entry.effective_from and earlier.credit is not distinct from entry.credit
  ) or exists (
    select 1 from ledger where ledger.account_id = entry.account_id and ledger.resource = 'leave_policy_terms'
      and ledger.record_id = entry.id and ledger.action = 'update' and ledger.after like '%"credit":%'
  ) then ',"credit"' else '' end ||
  case when not exists (
    select 1 from leave_policy_terms earlier where earlier.account_id = entry.account_id and earlier.leave_policy_id = entry.leave_policy_id
      and earlier.effective_until = entry.effective_from and earlier.carry_over_limit is not distinct from entry.carry_over_limit
  ) or exists (
    select 1 from ledger where ledger.account_id = entry.account_id and ledger.resource = 'leave_policy_terms'
      and ledger.record_id = entry.id and ledger.action = 'update' and ledger.after like '%"carry_over_limit":%'
  ) then ',"carry_over_limit"' else '' end ||
  case when not exists (
    select 1 from leave_policy_terms earlier where earlier.account_id = entry.account_id and earlier.leave_policy_id = entry.leave_policy_id
      and earlier.effective_until = entry.effective_from and earlier.floor is not distinct from entry.floor
  ) or exists (
    select 1 from ledger where ledger.account_id = entry.account_id and ledger.resource = 'leave_policy_terms'
      and ledger.record_id = entry.id and ledger.action = 'update' and ledger.after like '%"floor":%'
  ) then ',"floor"' else '' end
, 2) || ']';
