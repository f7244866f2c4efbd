-- What happened in a stretch of time.

create index ledger_by_time on ledger (account_id, at, no);
