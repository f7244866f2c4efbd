-- Clocks that run: who is working since when. One of them a person; when it is stopped it becomes timesheet entries.

create table clocks (
  account_id bigint not null references accounts (id),
  id bigint not null,
  employee_id bigint not null,
  starts_at timestamptz not null,
  type text not null,
  project_id bigint,
  comment text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, employee_id),
  foreign key (account_id, employee_id) references employees (account_id, id),
  foreign key (account_id, project_id) references projects (account_id, id)
);
create index clocks_by_project on clocks (account_id, project_id);
create index clocks_by_start on clocks (account_id, starts_at, id);
create index clocks_by_creation on clocks (account_id, created_at, id);
create index clocks_by_change on clocks (account_id, updated_at, id);
