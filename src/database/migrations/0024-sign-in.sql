-- How people sign in: passwords and codes, passkeys, links, identity providers, and the sessions that come of it. What
-- is secret stands in columns that the ledger does not keep; what changes with every request stands in tables beside it.

create table user_credentials (
  account_id bigint not null references accounts (id),
  id bigint not null,
  user_id bigint not null,
  password_hash text not null,
  password_set_at timestamptz,
  totp_secret text not null,
  totp_pending text not null,
  totp_set_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, user_id),
  foreign key (account_id, user_id) references users (account_id, id)
);

create table recovery_codes (
  account_id bigint not null references accounts (id),
  id bigint not null,
  user_id bigint not null,
  code_hash text not null,
  used_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id)
);
create index recovery_codes_by_user on recovery_codes (account_id, user_id);

create table passkeys (
  account_id bigint not null references accounts (id),
  id bigint not null,
  user_id bigint not null,
  name text not null,
  credential_id text not null,
  public_key text not null,
  transports text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, credential_id),
  foreign key (account_id, user_id) references users (account_id, id)
);
create index passkeys_by_user on passkeys (account_id, user_id);

create table passkey_uses (
  account_id bigint not null references accounts (id),
  passkey_id bigint not null,
  counter bigint not null,
  last_used_at timestamptz not null,
  primary key (account_id, passkey_id),
  foreign key (account_id, passkey_id) references passkeys (account_id, id) on delete cascade
);

create table identity_providers (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  issuer text not null,
  client_id text not null,
  client_secret text not null,
  scopes text not null,
  enabled boolean not null,
  compulsory boolean not null,
  makes_users boolean not null,
  trusts_email boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);
create index identity_providers_by_creation on identity_providers (account_id, created_at, id);
create index identity_providers_by_change on identity_providers (account_id, updated_at, id);

create table user_identities (
  account_id bigint not null references accounts (id),
  id bigint not null,
  user_id bigint not null,
  identity_provider_id bigint not null,
  subject text not null,
  email text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, identity_provider_id, subject),
  foreign key (account_id, user_id) references users (account_id, id),
  foreign key (account_id, identity_provider_id) references identity_providers (account_id, id)
);
create index user_identities_by_user on user_identities (account_id, user_id);

create table sessions (
  account_id bigint not null references accounts (id),
  id bigint not null,
  user_id bigint not null,
  hash text not null unique,
  way text not null,
  address text,
  browser text,
  confirmed_at timestamptz not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id)
);
create index sessions_by_user on sessions (account_id, user_id);

create table session_uses (
  account_id bigint not null references accounts (id),
  session_id bigint not null,
  last_used_at timestamptz not null,
  primary key (account_id, session_id),
  foreign key (account_id, session_id) references sessions (account_id, id) on delete cascade
);

-- The link by which somebody is let in the first time, or comes in again; that of the first owner is of nobody yet.

create table sign_in_links (
  account_id bigint not null references accounts (id),
  id bigint not null,
  user_id bigint,
  hash text not null unique,
  purpose text not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id)
);
create index sign_in_links_by_user on sign_in_links (account_id, user_id);

create table failed_sign_ins (
  account_id bigint not null references accounts (id),
  id bigint not null,
  user_id bigint,
  address text,
  attempts integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id)
);
create index failed_sign_ins_by_user on failed_sign_ins (account_id, user_id);
create index failed_sign_ins_by_creation on failed_sign_ins (account_id, created_at, id);
create index failed_sign_ins_by_change on failed_sign_ins (account_id, updated_at, id);

-- Attempts by person and address, tickets that were used, and who has asked for a new password: gone after a while.

create table sign_in_attempts (
  account_id bigint not null references accounts (id),
  place text not null,
  failures integer not null,
  last_at bigint not null,
  until bigint not null,
  primary key (account_id, place)
);
create index sign_in_attempts_by_time on sign_in_attempts (account_id, last_at);

create table spent_tickets (
  account_id bigint not null references accounts (id),
  hash text not null,
  until bigint not null,
  primary key (account_id, hash)
);
create index spent_tickets_by_end on spent_tickets (account_id, until);

create table reset_requests (
  account_id bigint not null references accounts (id),
  user_id bigint not null,
  asked_at timestamptz not null,
  primary key (account_id, user_id),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);
