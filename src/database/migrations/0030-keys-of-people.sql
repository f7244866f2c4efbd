-- Who made a key, as a person: it holds no more than they do, and ends with them. Of keys that are there already the ledger
-- tells it, and those that were made with them follow.

alter table api_keys add column made_by_user_id bigint;

with recursive line (account_id, id, user_id) as (
  select k.account_id, k.id, l.actor_id from api_keys k
  join ledger l on l.account_id = k.account_id and l.resource = 'api_keys' and l.record_id = k.id
  where l.action = 'create' and l.actor_kind = 'person'
  union all
  select k.account_id, k.id, line.user_id from api_keys k
  join line on k.account_id = line.account_id and k.parent_id = line.id
)
update api_keys set made_by_user_id = (
  select max(line.user_id) from line where line.account_id = api_keys.account_id and line.id = api_keys.id
);
