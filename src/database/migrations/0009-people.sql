-- Probation: whether its end follows from the policy, and so moves with the day of hiring.

alter table employees add column probation_end_is_derived boolean;

-- Which records have a file: it goes with the last of them.

create index employee_documents_by_file on employee_documents (account_id, file_hash);
create index employees_by_avatar on employees (account_id, avatar);
create index candidates_by_resume on candidates (account_id, resume_hash);
create index candidate_documents_by_file on candidate_documents (account_id, file_hash);

-- Which group of data custom fields and document folders belong to.

alter table employee_fields add column protection text;
alter table candidate_fields add column protection text;
alter table vacancy_fields add column protection text;
alter table document_folders add column protection text;

-- The words that people are found by. Those of people who are there already are noted at the next start.

create table search_words (
  account_id bigint not null references accounts (id),
  resource text not null,
  word text collate "C" not null,
  record_id bigint not null,
  primary key (account_id, resource, record_id, word)
);
create index search_words_by_word on search_words (account_id, resource, word, record_id);
insert into after_commit (account_id, id, kind, details, created_at)
select id, 'words-of-account', 'index_words', '{}', created_at from accounts;
drop index employees_by_first_name;
drop index employees_by_middle_name;
drop index employees_by_last_name;
alter table employees drop column first_name_key;
alter table employees drop column middle_name_key;
alter table employees drop column last_name_key;
