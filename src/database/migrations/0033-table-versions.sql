-- Answers are kept while the tables that they were made from stand: each table of an account knows when it last changed.

alter table accounts add column version bigint not null default 0;
alter table accounts add column table_versions text not null default '';
