-- The ledger as it is read in public: by kind of record, owner, request, actor and operation; each entry chained to the
-- one before it; and who has read what is watched over.

alter table accounts add column ledger_hash text;
-- Entries that were written before there was a chain are chained once; whatever has no hash later was tampered with.
alter table accounts add column is_unchained boolean not null default false;
update accounts set is_unchained = true where ledger_no > 0;

alter table ledger add column owner text;
alter table ledger add column owner_id bigint;
alter table ledger add column salt text;
alter table ledger add column digest text;
alter table ledger add column hash text;

create index ledger_by_resource on ledger (account_id, resource, no);
create index ledger_by_owner on ledger (account_id, owner, owner_id, no);
create index ledger_by_request on ledger (account_id, request_id, no);
create index ledger_by_actor on ledger (account_id, actor_kind, actor_id, no);
create index ledger_by_operation on ledger (account_id, operation, no);
create index ledger_by_person on ledger (account_id, person_id, no);

create table reads (
  account_id bigint not null references accounts (id),
  id bigint not null,
  at timestamptz not null,
  actor_kind text not null,
  actor_id bigint,
  person_id bigint,
  request_id text not null,
  operation text not null,
  what text not null,
  resource text not null,
  record_id bigint not null,
  owner text,
  owner_id bigint,
  primary key (account_id, id)
);
create index reads_by_record on reads (account_id, resource, record_id, id);
create index reads_by_owner on reads (account_id, owner, owner_id, id);
create index reads_by_actor on reads (account_id, actor_kind, actor_id, id);
create index reads_by_operation on reads (account_id, operation, id);
create index reads_by_time on reads (account_id, at, id);
