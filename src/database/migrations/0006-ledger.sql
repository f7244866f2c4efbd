-- The ledger says who acted by kind and id, from where, and in the course of what; and what follows a commit is kept.

alter table ledger rename column employee_id to person_id;
alter table ledger add column actor_kind text not null default 'system';
alter table ledger add column actor_id bigint;
alter table ledger add column address text;
alter table ledger add column correlation_id text not null default '-';

update ledger set actor_kind = 'key', actor_id = cast(substr(actor, 5) as bigint) where actor like 'key:%';
update ledger set actor_kind = 'command_line' where actor = 'command line';
update ledger set actor_kind = 'anybody' where actor = 'anybody';
update ledger set correlation_id = request_id;
alter table ledger drop column actor;

-- Where an answer's record is no longer tells under which prefix it was asked for.
update idempotency set location = substr(location, 15) where location like '/api/public/v3/%';

create table after_commit (
  account_id bigint not null references accounts (id),
  id text not null,
  kind text not null,
  details text not null,
  created_at timestamptz not null,
  primary key (account_id, id)
);
create index after_commit_by_age on after_commit (created_at);
