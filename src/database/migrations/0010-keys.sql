-- A key knows the key that it was made with. Of those that are there already nobody knows: they stand for themselves.
-- SQLite cannot add a reference to a table, so both tables are made anew.

create table api_keys_anew (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  hash text not null unique,
  hint text not null,
  permissions text not null,
  withheld text not null,
  parent_id bigint,
  employee_id bigint,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, parent_id) references api_keys_anew (account_id, id),
  foreign key (account_id, employee_id) references employees (account_id, id)
);
insert into api_keys_anew (account_id, id, name, hash, hint, permissions, withheld, employee_id, expires_at, revoked_at, created_at, updated_at)
  select account_id, id, name, hash, hint, permissions, withheld, employee_id, expires_at, revoked_at, created_at, updated_at
  from api_keys;

create table api_key_uses_anew (
  account_id bigint not null references accounts (id),
  key_id bigint not null,
  last_used_at timestamptz not null,
  primary key (account_id, key_id),
  foreign key (account_id, key_id) references api_keys_anew (account_id, id)
);
insert into api_key_uses_anew (account_id, key_id, last_used_at)
  select account_id, key_id, last_used_at from api_key_uses;

drop table api_key_uses;
drop table api_keys;
alter table api_keys_anew rename to api_keys;
alter table api_key_uses_anew rename to api_key_uses;
create index api_keys_by_parent on api_keys (account_id, parent_id);
create index api_keys_by_employee on api_keys (account_id, employee_id);
