-- People of the same last name go by their first one, and the other way round.

drop index employees_by_first_name;
drop index employees_by_last_name;
create index employees_by_first_name on employees (account_id, first_name_key, last_name_key, id);
create index employees_by_last_name on employees (account_id, last_name_key, first_name_key, id);
