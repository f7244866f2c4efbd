-- When somebody last looked at what is new for them; the news themselves follow from the records.

alter table users add column notifications_seen_at timestamptz;
