-- People who sign in, the roles that say what they may do, for whom, and what of it they see. A key can have a role too.

create table users (
  account_id bigint not null references accounts (id),
  id bigint not null,
  email text not null,
  email_key text not null,
  name text not null,
  employee_id bigint,
  locale text,
  disabled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, email_key),
  unique (account_id, employee_id),
  foreign key (account_id, employee_id) references employees (account_id, id)
);

create index users_by_creation on users (account_id, created_at, id);
create index users_by_change on users (account_id, updated_at, id);

create table roles (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  description text,
  standard text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

create index roles_by_creation on roles (account_id, created_at, id);
create index roles_by_change on roles (account_id, updated_at, id);

create table role_grants (
  account_id bigint not null references accounts (id),
  id bigint not null,
  role_id bigint not null,
  scope text not null,
  permissions text not null,
  sees text not null,
  department_id bigint,
  location_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, role_id) references roles (account_id, id),
  foreign key (account_id, department_id) references departments (account_id, id),
  foreign key (account_id, location_id) references locations (account_id, id)
);
create index role_grants_by_role on role_grants (account_id, role_id);
create index role_grants_by_department on role_grants (account_id, department_id);
create index role_grants_by_location on role_grants (account_id, location_id);

create table user_roles (
  account_id bigint not null references accounts (id),
  id bigint not null,
  user_id bigint not null,
  role_id bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, user_id, role_id),
  foreign key (account_id, user_id) references users (account_id, id),
  foreign key (account_id, role_id) references roles (account_id, id)
);
create index user_roles_by_role on user_roles (account_id, role_id);

create table api_key_roles (
  account_id bigint not null references accounts (id),
  id bigint not null,
  api_key_id bigint not null,
  role_id bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, api_key_id, role_id),
  foreign key (account_id, api_key_id) references api_keys (account_id, id),
  foreign key (account_id, role_id) references roles (account_id, id)
);
create index api_key_roles_by_role on api_key_roles (account_id, role_id);
