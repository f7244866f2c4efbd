-- Nothing but this table is unique across accounts, so that accounts can lie on different machines: it says which account a
-- key is of. Sessions say it themselves from now on; those that are there already are found here, too.

create table secret_hashes (
  hash text not null primary key,
  account_id bigint not null
);
insert into secret_hashes (hash, account_id) select hash, account_id from api_keys;
insert into secret_hashes (hash, account_id) select hash, account_id from sessions;

-- SQLite cannot take a constraint from a table, so these are made anew, and with them those that refer to them.

create table new_api_keys (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  hash text not null,
  hint text not null,
  permissions text not null,
  withheld text not null,
  parent_id bigint,
  employee_id bigint,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  made_by_user_id bigint,
  primary key (account_id, id),
  unique (account_id, hash),
  foreign key (account_id, parent_id) references new_api_keys (account_id, id),
  foreign key (account_id, employee_id) references employees (account_id, id)
);
insert into new_api_keys (account_id, id, name, hash, hint, permissions, withheld, parent_id, employee_id, expires_at, revoked_at, created_at, updated_at, made_by_user_id)
  select account_id, id, name, hash, hint, permissions, withheld, parent_id, employee_id, expires_at, revoked_at, created_at, updated_at, made_by_user_id
  from api_keys;

create table new_api_key_uses (
  account_id bigint not null references accounts (id),
  key_id bigint not null,
  last_used_at timestamptz not null,
  primary key (account_id, key_id),
  foreign key (account_id, key_id) references new_api_keys (account_id, id)
);
insert into new_api_key_uses (account_id, key_id, last_used_at) select account_id, key_id, last_used_at from api_key_uses;

create table new_api_key_roles (
  account_id bigint not null references accounts (id),
  id bigint not null,
  api_key_id bigint not null,
  role_id bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, api_key_id, role_id),
  foreign key (account_id, api_key_id) references new_api_keys (account_id, id),
  foreign key (account_id, role_id) references roles (account_id, id)
);
insert into new_api_key_roles (account_id, id, api_key_id, role_id, created_at, updated_at)
  select account_id, id, api_key_id, role_id, created_at, updated_at from api_key_roles;

create table new_calendar_feeds (
  account_id bigint not null references accounts (id),
  id bigint not null,
  api_key_id bigint not null,
  resets integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, api_key_id),
  foreign key (account_id, api_key_id) references new_api_keys (account_id, id)
);
insert into new_calendar_feeds (account_id, id, api_key_id, resets, created_at, updated_at)
  select account_id, id, api_key_id, resets, created_at, updated_at from calendar_feeds;

create table new_sessions (
  account_id bigint not null references accounts (id),
  id bigint not null,
  user_id bigint not null,
  hash text not null,
  way text not null,
  address text,
  browser text,
  confirmed_at timestamptz not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, hash),
  foreign key (account_id, user_id) references users (account_id, id)
);
insert into new_sessions (account_id, id, user_id, hash, way, address, browser, confirmed_at, expires_at, created_at, updated_at)
  select account_id, id, user_id, hash, way, address, browser, confirmed_at, expires_at, created_at, updated_at from sessions;

create table new_session_uses (
  account_id bigint not null references accounts (id),
  session_id bigint not null,
  last_used_at timestamptz not null,
  primary key (account_id, session_id),
  foreign key (account_id, session_id) references new_sessions (account_id, id) on delete cascade
);
insert into new_session_uses (account_id, session_id, last_used_at) select account_id, session_id, last_used_at from session_uses;

create table new_sign_in_links (
  account_id bigint not null references accounts (id),
  id bigint not null,
  user_id bigint,
  hash text not null,
  purpose text not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, hash),
  foreign key (account_id, user_id) references users (account_id, id)
);
insert into new_sign_in_links (account_id, id, user_id, hash, purpose, expires_at, used_at, created_at, updated_at)
  select account_id, id, user_id, hash, purpose, expires_at, used_at, created_at, updated_at from sign_in_links;

drop table api_key_uses;
drop table api_key_roles;
drop table calendar_feeds;
drop table api_keys;
drop table session_uses;
drop table sessions;
drop table sign_in_links;
alter table new_api_keys rename to api_keys;
alter table new_api_key_uses rename to api_key_uses;
alter table new_api_key_roles rename to api_key_roles;
alter table new_calendar_feeds rename to calendar_feeds;
alter table new_sessions rename to sessions;
alter table new_session_uses rename to session_uses;
alter table new_sign_in_links rename to sign_in_links;

create index api_keys_by_parent on api_keys (account_id, parent_id);
create index api_keys_by_employee on api_keys (account_id, employee_id);
create index api_keys_by_creation on api_keys (account_id, created_at, id);
create index api_keys_by_change on api_keys (account_id, updated_at, id);
create index api_key_roles_by_role on api_key_roles (account_id, role_id);
create index sessions_by_user on sessions (account_id, user_id);
create index sign_in_links_by_user on sign_in_links (account_id, user_id);
