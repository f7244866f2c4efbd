-- What the company lends to people, and what it knows.

create table asset_categories (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  icon text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

create table assets (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  code text not null,
  code_key text not null,
  serial_number text,
  serial_number_key text,
  description text not null,
  location_id bigint not null,
  asset_category_id bigint not null,
  retired_on date,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, code_key),
  foreign key (account_id, location_id) references locations (account_id, id),
  foreign key (account_id, asset_category_id) references asset_categories (account_id, id)
);
create index assets_by_serial_number on assets (account_id, serial_number_key);
create index assets_by_location on assets (account_id, location_id);
create index assets_by_category on assets (account_id, asset_category_id);
create index assets_by_retirement on assets (account_id, retired_on);

create table asset_assignments (
  account_id bigint not null references accounts (id),
  id bigint not null,
  asset_id bigint not null,
  user_id bigint not null,
  issued_on date not null,
  returned_on date,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, asset_id) references assets (account_id, id),
  foreign key (account_id, user_id) references employees (account_id, id)
);
create index asset_assignments_by_asset on asset_assignments (account_id, asset_id, issued_on);
create index asset_assignments_by_user on asset_assignments (account_id, user_id, issued_on);
create index asset_assignments_by_issue on asset_assignments (account_id, issued_on);
create index asset_assignments_by_return on asset_assignments (account_id, returned_on, issued_on);

create table asset_losses (
  account_id bigint not null references accounts (id),
  id bigint not null,
  asset_id bigint not null,
  lost_on date not null,
  found_on date,
  note text not null,
  asset_assignment_id bigint,
  planned_return_on date,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, asset_id) references assets (account_id, id),
  foreign key (account_id, asset_assignment_id) references asset_assignments (account_id, id)
);
create index asset_losses_by_asset on asset_losses (account_id, asset_id, lost_on);
create index asset_losses_by_assignment on asset_losses (account_id, asset_assignment_id);
create index asset_losses_by_finding on asset_losses (account_id, found_on, lost_on);

create table knowledge_base_categories (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  description text not null,
  css_class text,
  emoji text,
  hex_color text,
  position integer not null,
  created_by_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key),
  foreign key (account_id, created_by_id) references employees (account_id, id)
);
create index knowledge_base_categories_by_position on knowledge_base_categories (account_id, position, id);
create index knowledge_base_categories_by_creator on knowledge_base_categories (account_id, created_by_id);

create table knowledge_base_articles (
  account_id bigint not null references accounts (id),
  id bigint not null,
  category_id bigint not null,
  title text not null,
  body text not null,
  body_html text not null,
  position integer not null,
  state text not null,
  published_at timestamptz,
  created_by_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, category_id) references knowledge_base_categories (account_id, id),
  foreign key (account_id, created_by_id) references employees (account_id, id)
);
create index knowledge_base_articles_by_category on knowledge_base_articles (account_id, category_id, position, id);
create index knowledge_base_articles_by_state on knowledge_base_articles (account_id, state);
create index knowledge_base_articles_by_creator on knowledge_base_articles (account_id, created_by_id);
