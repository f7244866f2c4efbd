-- Tables of the account's own, whose rows belong to employees.

create table employee_tables (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  internal_name text not null,
  internal_name_key text not null,
  description text not null,
  group_id bigint not null,
  protection text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key),
  unique (account_id, internal_name_key),
  foreign key (account_id, group_id) references employee_field_groups (account_id, id)
);
create index employee_tables_by_group on employee_tables (account_id, group_id);

create table employee_table_columns (
  account_id bigint not null references accounts (id),
  id bigint not null,
  employee_table_id bigint not null,
  name text not null,
  name_key text not null,
  internal_name text not null,
  internal_name_key text not null,
  type text not null,
  protection text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, employee_table_id, name_key),
  unique (account_id, employee_table_id, internal_name_key),
  foreign key (account_id, employee_table_id) references employee_tables (account_id, id)
);

create table employee_table_column_options (
  account_id bigint not null references accounts (id),
  id bigint not null,
  employee_table_column_id bigint not null,
  value text not null,
  value_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, employee_table_column_id, value_key),
  foreign key (account_id, employee_table_column_id) references employee_table_columns (account_id, id)
);

create table employee_table_rows (
  account_id bigint not null references accounts (id),
  id bigint not null,
  employee_id bigint not null,
  employee_table_id bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, employee_id) references employees (account_id, id),
  foreign key (account_id, employee_table_id) references employee_tables (account_id, id)
);
create index employee_table_rows_by_employee on employee_table_rows (account_id, employee_id, employee_table_id);
create index employee_table_rows_by_table on employee_table_rows (account_id, employee_table_id);

-- What a row holds in a column, as text, as the values of custom fields are kept. An empty cell has no value.
create table employee_table_values (
  account_id bigint not null references accounts (id),
  id bigint not null,
  employee_table_row_id bigint not null,
  employee_table_column_id bigint not null,
  value text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, employee_table_row_id, employee_table_column_id),
  foreign key (account_id, employee_table_row_id) references employee_table_rows (account_id, id),
  foreign key (account_id, employee_table_column_id) references employee_table_columns (account_id, id)
);
create index employee_table_values_by_column on employee_table_values (account_id, employee_table_column_id);
