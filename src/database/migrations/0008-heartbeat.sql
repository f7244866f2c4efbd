-- One row, written when somebody asks whether the database can be written to.

create table heartbeat (
  id integer not null primary key,
  at timestamptz not null
);
insert into heartbeat (id, at) values (1, '2026-01-01T00:00:00.000Z');
