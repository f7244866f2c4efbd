-- When somebody last signed in through a provider with the settings that it has, or tested them: required before other ways are shut.

alter table identity_providers add column confirmed_at timestamptz;

-- The request that an answer was kept of: a repeated one is undone by its id.
alter table idempotency add column request_id text;
