-- Hires as records of their own, what merges brought together, and what an account asks of applicants.

create table hires (
  account_id bigint not null references accounts (id),
  id bigint not null,
  vacancy_id bigint not null,
  employee_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, employee_id),
  foreign key (account_id, vacancy_id) references vacancies (account_id, id),
  foreign key (account_id, employee_id) references employees (account_id, id)
);
create index hires_by_vacancy on hires (account_id, vacancy_id);

-- Who was hired before: the application that moved at the moment in which the employee was made, or else the one that
-- has stood in a hired stage.
insert into hires (account_id, id, vacancy_id, employee_id, created_at, updated_at)
select account_id, row_number() over (partition by account_id order by employee_id), vacancy_id, employee_id, hired_at, hired_at
from (
  select c.account_id, c.employee_id, a.vacancy_id, e.created_at as hired_at,
    row_number() over (
      partition by c.account_id, c.employee_id
      order by case when m.entered_at = e.created_at then 0 else 1 end, m.id
    ) as place
  from candidates c
  join employees e on e.account_id = c.account_id and e.id = c.employee_id
  join applications a on a.account_id = c.account_id and a.candidate_id = c.id
  join movements m on m.account_id = a.account_id and m.application_id = a.id
  join pipeline_stages s on s.account_id = m.account_id and s.id = m.stage_id
  where s.type = 'hired' or m.entered_at = e.created_at
) as found
where place = 1;

insert into counters (account_id, resource, last_id, live)
select account_id, 'hires', count(*), count(*) from hires group by account_id;

create table candidate_merges (
  account_id bigint not null references accounts (id),
  id bigint not null,
  candidate_id bigint not null,
  merged_candidate_id bigint not null,
  full_name text not null,
  email text,
  date_of_birth date,
  desired_salary bigint,
  currency_code text,
  merged_by_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, merged_candidate_id),
  foreign key (account_id, candidate_id) references candidates (account_id, id),
  foreign key (account_id, merged_by_id) references employees (account_id, id)
);
create index candidate_merges_by_candidate on candidate_merges (account_id, candidate_id);
create index candidate_merges_by_merged_by on candidate_merges (account_id, merged_by_id);

create table recruitment_settings (
  account_id bigint not null references accounts (id),
  id bigint not null,
  consent_required boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id)
);
