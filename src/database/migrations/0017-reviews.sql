-- Competencies with their levels, and reviews: cycles, questions, who reviews whom, and what they answered.

create table competencies (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  name_key text not null,
  description text not null,
  type text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

create table competency_levels (
  account_id bigint not null references accounts (id),
  id bigint not null,
  competency_id bigint not null,
  level integer not null,
  name text not null,
  description text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, competency_id) references competencies (account_id, id)
);
create index competency_levels_by_competency on competency_levels (account_id, competency_id, level);

create table review_cycles (
  account_id bigint not null references accounts (id),
  id bigint not null,
  name text not null,
  description text,
  state text not null,
  starts_on date not null,
  ends_on date not null,
  deadline_on date,
  review_period_starts_on date,
  review_period_ends_on date,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id)
);
create index review_cycles_by_state on review_cycles (account_id, state);
create index review_cycles_by_start on review_cycles (account_id, starts_on);
create index review_cycles_by_end on review_cycles (account_id, ends_on);

create table review_questions (
  account_id bigint not null references accounts (id),
  id bigint not null,
  review_cycle_id bigint not null,
  type text not null,
  title text not null,
  title_self text,
  title_manager text,
  competency_id bigint,
  options text not null,
  scale_min integer,
  scale_max integer,
  position integer not null,
  required boolean not null,
  participant_types text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, review_cycle_id) references review_cycles (account_id, id),
  foreign key (account_id, competency_id) references competencies (account_id, id)
);
create index review_questions_by_cycle on review_questions (account_id, review_cycle_id, position);
create index review_questions_by_competency on review_questions (account_id, competency_id);

create table reviews (
  account_id bigint not null references accounts (id),
  id bigint not null,
  review_cycle_id bigint not null,
  employee_id bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, review_cycle_id, employee_id),
  foreign key (account_id, review_cycle_id) references review_cycles (account_id, id),
  foreign key (account_id, employee_id) references employees (account_id, id)
);
create index reviews_by_employee on reviews (account_id, employee_id);

-- Of those who were erased there may be several in a review, all in the same name: that somebody takes part once is a
-- rule of the service.
create table review_participants (
  account_id bigint not null references accounts (id),
  id bigint not null,
  review_cycle_id bigint not null,
  review_id bigint not null,
  employee_id bigint not null,
  type text not null,
  state text not null,
  submitted_at timestamptz,
  submitted_by_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, review_cycle_id) references review_cycles (account_id, id),
  foreign key (account_id, review_id) references reviews (account_id, id),
  foreign key (account_id, employee_id) references employees (account_id, id),
  foreign key (account_id, submitted_by_id) references employees (account_id, id)
);
create index review_participants_by_cycle on review_participants (account_id, review_cycle_id, type, state);
create index review_participants_by_review on review_participants (account_id, review_id, review_cycle_id, state);
create index review_participants_by_employee on review_participants (account_id, employee_id);
create index review_participants_by_submitter on review_participants (account_id, submitted_by_id);

create table review_answers (
  account_id bigint not null references accounts (id),
  id bigint not null,
  review_cycle_id bigint not null,
  review_id bigint not null,
  participant_id bigint not null,
  review_question_id bigint not null,
  text text,
  comment text,
  rating integer,
  option text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, participant_id, review_question_id),
  foreign key (account_id, review_cycle_id) references review_cycles (account_id, id),
  foreign key (account_id, review_id) references reviews (account_id, id),
  foreign key (account_id, participant_id) references review_participants (account_id, id),
  foreign key (account_id, review_question_id) references review_questions (account_id, id)
);
create index review_answers_by_cycle on review_answers (account_id, review_cycle_id);
create index review_answers_by_review on review_answers (account_id, review_id);
create index review_answers_by_question on review_answers (account_id, review_question_id);
