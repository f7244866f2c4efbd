-- What else is known of candidates. Their gender is the name that it had in the account's list.

alter table candidates add column gender text;
alter table candidates add column telegram_username text;
alter table candidates add column skype_username text;
alter table candidates add column last_contacted_at timestamptz;
alter table candidate_merges add column gender text;

create table candidate_languages (
  account_id bigint not null references accounts (id),
  id bigint not null,
  candidate_id bigint not null,
  code text not null,
  level text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, candidate_id, code),
  foreign key (account_id, candidate_id) references candidates (account_id, id)
);

-- Whether everybody sees what a vacancy pays. Vacancies are found by the words of their titles; those that are there
-- already get theirs at the next start.

alter table vacancies add column salary_on_careers boolean;
insert into after_commit (account_id, id, kind, details, created_at)
select id, 'words-of-vacancies', 'index_words', '{}', created_at from accounts;
