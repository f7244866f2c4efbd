-- Whoever rejects leave, overtime or time can say why; the person who asked for it reads it.

alter table leave_requests add column rejection_reason text;
alter table overtime_requests add column rejection_reason text;
alter table timesheet_entries add column rejection_reason text;
