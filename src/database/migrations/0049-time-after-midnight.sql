-- Time entries may end on the day after they start. Until now all of them ended on the same day.

alter table timesheet_entries add column minutes_after_midnight integer not null default 0;
