-- A hire names the application that led to it, so that one without an employee record takes its place, too. SQLite cannot add
-- a foreign key to a table, so it is made anew.

create table new_hires (
  account_id bigint not null references accounts (id),
  id bigint not null,
  vacancy_id bigint not null,
  employee_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  application_id bigint,
  primary key (account_id, id),
  unique (account_id, employee_id),
  unique (account_id, application_id),
  foreign key (account_id, vacancy_id) references vacancies (account_id, id),
  foreign key (account_id, application_id) references applications (account_id, id),
  foreign key (account_id, employee_id) references employees (account_id, id)
);
insert into new_hires (account_id, id, vacancy_id, employee_id, created_at, updated_at, application_id)
  select h.account_id, h.id, h.vacancy_id, h.employee_id, h.created_at, h.updated_at, min(a.id)
  from hires h
  left join candidates c on c.account_id = h.account_id and c.employee_id = h.employee_id
  left join applications a on a.account_id = h.account_id and a.candidate_id = c.id and a.vacancy_id = h.vacancy_id
  group by h.account_id, h.id, h.vacancy_id, h.employee_id, h.created_at, h.updated_at;
drop table hires;
alter table new_hires rename to hires;
create index hires_by_vacancy on hires (account_id, vacancy_id);
create index hires_by_creation on hires (account_id, created_at, id);
