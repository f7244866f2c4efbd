-- When somebody last signed in through a provider with the settings that it has, or tested them: required before other ways are shut.

alter table identity_providers add column confirmed_at timestamptz;
