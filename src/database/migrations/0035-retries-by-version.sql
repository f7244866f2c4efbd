-- What has changed since an answer was kept for those who send their request again: it is told again to whoever does not see
-- everything only while what they see stands. Answers that are there already say nothing of it, and are withheld from them.

alter table idempotency add column version bigint;
