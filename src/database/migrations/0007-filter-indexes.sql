-- Every column that a list can be narrowed by has an index.

create index applications_by_disqualification on applications (account_id, vacancy_id, disqualified_at);
create index timesheet_entries_by_type on timesheet_entries (account_id, type);
create index timesheet_entries_by_status on timesheet_entries (account_id, status);
create index leave_requests_by_creation on leave_requests (account_id, created_at);
create index leave_requests_by_change on leave_requests (account_id, updated_at);
create index leave_requests_by_end on leave_requests (account_id, ends_on);
