-- Employments that ended before somebody was hired again. The current employment stays in employees, and what is there stays as it is.

create table former_employments (
  account_id bigint not null references accounts (id),
  id bigint not null,
  employee_id bigint not null,
  hired_on date not null,
  probation_ends_on date,
  termination_effective_on date not null,
  termination_type_id bigint,
  termination_reason_id bigint,
  termination_eligible_for_rehire boolean,
  termination_comment text,
  stored_tenure_since date,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, employee_id, hired_on),
  foreign key (account_id, employee_id) references employees (account_id, id),
  foreign key (account_id, termination_type_id) references termination_types (account_id, id),
  foreign key (account_id, termination_reason_id) references termination_reasons (account_id, id)
);
create index former_employments_by_hiring on former_employments (account_id, hired_on);
create index former_employments_by_end on former_employments (account_id, termination_effective_on);
create index former_employments_by_type on former_employments (account_id, termination_type_id);
create index former_employments_by_reason on former_employments (account_id, termination_reason_id);

-- Null: tenure counts from hired_on.
alter table employees add column stored_tenure_since date;
create index employees_by_tenure on employees (account_id, coalesce(stored_tenure_since, hired_on));

create table new_companies (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  time_zone text not null,
  currency_code text not null,
  tenure_from text not null,
  full_time_hours bigint not null,
  tenure_gap_months integer,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id)
);
insert into new_companies (account_id, id, name, time_zone, currency_code, tenure_from, full_time_hours, created_at, updated_at)
  select account_id, id, name, time_zone, currency_code, 'last_hire', 400000, created_at, updated_at from companies;
drop table companies;
alter table new_companies rename to companies;
create index companies_by_creation on companies (account_id, created_at, id);
create index companies_by_change on companies (account_id, updated_at, id);

-- Somebody who is hired again has several hires.
create table new_hires (
  account_id bigint not null references accounts (id),
  id bigint not null,
  vacancy_id bigint not null,
  employee_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  application_id bigint,
  primary key (account_id, id),
  unique (account_id, application_id),
  foreign key (account_id, vacancy_id) references vacancies (account_id, id),
  foreign key (account_id, employee_id) references employees (account_id, id),
  foreign key (account_id, application_id) references applications (account_id, id)
);
insert into new_hires (account_id, id, vacancy_id, employee_id, created_at, updated_at, application_id)
  select account_id, id, vacancy_id, employee_id, created_at, updated_at, application_id from hires;
drop table hires;
alter table new_hires rename to hires;
create index hires_by_vacancy on hires (account_id, vacancy_id);
create index hires_by_employee on hires (account_id, employee_id);
create index hires_by_creation on hires (account_id, created_at, id);
