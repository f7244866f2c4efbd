-- What an account is called, and where it is, can change: a record like any other says so from here on. What stands in
-- the row of the account is what it was made with.

create table companies (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  time_zone text not null,
  currency_code text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id)
);

create index companies_by_creation on companies (account_id, created_at, id);
create index companies_by_change on companies (account_id, updated_at, id);

insert into companies (account_id, id, name, time_zone, currency_code, created_at, updated_at)
  select id, 1, name, time_zone, currency_code, created_at, created_at from accounts;
insert into counters (account_id, resource, last_id, live) select id, 'companies', 1, 1 from accounts;

-- How long the data of people is kept. Until somebody says so, for as long as nobody erases them.
create table retention_rules (
  account_id bigint not null references accounts (id),
  id bigint not null,
  candidate_months integer,
  employee_months integer,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id)
);

create index retention_rules_by_creation on retention_rules (account_id, created_at, id);
create index retention_rules_by_change on retention_rules (account_id, updated_at, id);

-- Those who were not hired, the oldest first.
drop index candidates_by_employee;
create index candidates_by_employee on candidates (account_id, employee_id, created_at, id);
