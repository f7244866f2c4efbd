-- Public holidays of a part of a country: a holiday policy and a location can have a region, and a holiday can belong to one.
-- Null: everywhere, as before.

alter table holiday_policies add column region_code text;
alter table locations add column region_code text;

-- Several regions may have the same holiday on the same day.
create table holidays_by_region (
  account_id bigint not null references accounts (id),
  id bigint not null,
  holiday_policy_id bigint not null,
  region_code text,
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
  foreign key (account_id, holiday_policy_id) references holiday_policies (account_id, id)
);

insert into holidays_by_region
  select account_id, id, holiday_policy_id, null, name, occurs_on, ends_on, half_day, working, observed_on, compensated_on,
    free_from, free_until, generated, created_at, updated_at
  from holidays;
drop table holidays;
alter table holidays_by_region rename to holidays;
create unique index holidays_once on holidays (account_id, holiday_policy_id, occurs_on, name, coalesce(region_code, ''));
create index holidays_by_date on holidays (account_id, occurs_on);
create index holidays_by_end on holidays (account_id, ends_on);
create index holidays_by_free_days on holidays (account_id, free_from);
create index holidays_by_creation on holidays (account_id, created_at, id);
create index holidays_by_change on holidays (account_id, updated_at, id);

-- The length of a probation is in days, as before, or in weeks or months.
alter table probation_policies add column length_unit text;
update probation_policies set length_unit = 'days';
