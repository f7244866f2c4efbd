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
