-- Holidays have several days or half of one, can be moved, and are known as their country's or as entered by hand.

create table holidays_by_days (
  account_id bigint not null references accounts (id),
  id bigint not null,
  holiday_policy_id bigint not null,
  name text not null,
  occurs_on date not null,
  ends_on date not null,
  half_day boolean not null,
  working boolean not null,
  observed_on date,
  compensated_on date,
  free_from date,
  free_until date,
  generated boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, holiday_policy_id, occurs_on, name),
  foreign key (account_id, holiday_policy_id) references holiday_policies (account_id, id)
);

-- The ledger knows which came with their policy, and which of those somebody has changed since.
insert into holidays_by_days
  select account_id, id, holiday_policy_id, name, occurs_on, occurs_on, false, working, null, null,
    case when working then null else occurs_on end, case when working then null else occurs_on end,
    (account_id, id) in (select account_id, record_id from ledger
      where resource = 'holidays' and action = 'create' and operation = 'createHolidayPolicy')
    and (account_id, id) not in (select account_id, record_id from ledger
      where resource = 'holidays' and action = 'update'),
    created_at, updated_at
  from holidays;
drop table holidays;
alter table holidays_by_days rename to holidays;
create index holidays_by_date on holidays (account_id, occurs_on);
create index holidays_by_end on holidays (account_id, ends_on);
create index holidays_by_free_days on holidays (account_id, free_from);

-- The last year whose holidays a policy has: the one after that in which it was made. Null where the country has
-- holidays of several days or of half a day, which were kept as one whole day: those are mended at the next start.
alter table holiday_policies add column filled_until integer;
update holiday_policies set filled_until = cast(substr(cast(created_at as text), 1, 4) as integer) + 1
  where country_code not in ('AE', 'AM', 'BA', 'BD', 'BH', 'BN', 'CN', 'CW', 'CX', 'EG', 'EH', 'FO', 'GA', 'GT', 'HT',
    'IS', 'KM', 'KR', 'LC', 'LY', 'MD', 'ME', 'MR', 'NG', 'PK', 'RO', 'RU', 'SA', 'SC', 'SD', 'SZ', 'TR', 'TZ', 'VN');

-- How often the address of a key's calendar feed was changed: the address follows from it.
create table calendar_feeds (
  account_id bigint not null references accounts (id),
  id bigint not null,
  api_key_id bigint not null,
  resets integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, api_key_id),
  foreign key (account_id, api_key_id) references api_keys (account_id, id)
);
