-- Time entries may end on the day after they start. Those so far ended on the same day: null counts as 0.

alter table timesheet_entries add column minutes_after_midnight integer;
