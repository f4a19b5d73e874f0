-- Accounts, their API keys, limits and retention, and the keys that encrypt their data.

create table account (
  id                            issued_id   primary key,
  name                          text        not null,                  -- a JSON string: `text` cannot hold NUL or a lone surrogate
  kind                          text        not null check (kind in ('provider', 'platform')),
  mode                          text        not null check (mode in ('live', 'test')),
  webhook_secret                bytea       not null,                  -- encrypted
  previous_webhook_secret       bytea,                                 -- encrypted; null unless it is still valid with the current one
  previous_webhook_secret_until timestamptz,
  created_at                    timestamptz not null default now(),
  suspended_at                  timestamptz,                           -- when its keys stopped working; null: they work
  allowed_cidrs                 text[]      check (cardinality(allowed_cidrs) > 0), -- the networks its keys work from; null: any
  retention_days                retention_days,                        -- from a request's end to its erasure; null: never erased
  erases_from                   timestamptz,                           -- nothing is erased before this time
  erased_through                issued_id,                             -- every request up to this id is erased, or in erasure_later
  is_demo                       boolean     not null default false check (not is_demo or mode = 'test'), -- of a demo day, and deleted with it
  mac                           text        not null default '',       -- see 00-domains.sql
  constraint account_previous_secret check (num_nulls(previous_webhook_secret, previous_webhook_secret_until) in (0, 2))
);

-- Webhook secrets older than the previous one and still valid, after two rotations within a day.
create table earlier_webhook_secret (
  account_id  issued_id   not null references account,
  secret      bytea       not null,                                    -- encrypted
  valid_until timestamptz not null
);
create index earlier_webhook_secret_account     on earlier_webhook_secret (account_id, valid_until);
create index earlier_webhook_secret_valid_until on earlier_webhook_secret (valid_until);

create table api_key (
  id            issued_id   primary key,
  account_id    issued_id   not null references account,
  hash          bytea       not null unique,                           -- HMAC of the key's text
  prefix        text        not null,                                  -- its first characters, to distinguish keys
  name          text,                                                  -- a JSON string
  scopes        text[]      not null check (cardinality(scopes) > 0 and scopes <@
                              array['requests', 'secrets', 'verify', 'operate', 'admin', 'audit', 'privacy']),
  bootstrap     boolean     not null default false,                    -- from BOOTSTRAP_API_KEY, or from the first start
  created_at    timestamptz not null default now(),
  expires_at    timestamptz,
  revoked_at    timestamptz,
  last_used_at  timestamptz,
  allowed_cidrs text[]      check (cardinality(allowed_cidrs) > 0),    -- the client must be in these and in its account's; null: any
  created_by    issued_id,                                             -- a person, or a key; null: the first start
  made_by       issued_id[],                                           -- created_by, then all who may have acted as it: see two-people.ts
  verify_within jsonb       check (jsonb_typeof(verify_within) = 'object'), -- limits of the scope `verify`; null: none
  mac           text        not null default ''
);
create index api_key_account on api_key (account_id);
create index api_key_expires on api_key (expires_at) where revoked_at is null;
create index api_key_revoked on api_key (revoked_at) where revoked_at is not null;

-- Variables of the first start that were applied, so that the same value is not applied twice.
create table applied_bootstrap (
  variable   text        primary key check (variable in ('BOOTSTRAP_API_KEY', 'BOOTSTRAP_WEBHOOK_SECRET')),
  hash       bytea       not null,                                     -- HMAC of the value
  applied_at timestamptz not null default now()
);

-- Quotas that an operator set for an account; a policy without a row has its default.
create table account_limit (
  account_id     issued_id   references account,
  policy         text,
  quota          integer     not null check (quota > 0),
  window_seconds integer     not null check (window_seconds > 0),
  set_at         timestamptz not null default now(),
  primary key (account_id, policy)
);

-- The remaining quotas. Unlogged, since a crash may lose them.
create unlogged table rate_budget (
  policy  text,
  subject text,
  tat     timestamptz not null,                                        -- of GCRA: when the whole quota is available again
  granted integer     not null,                                        -- units that the last call got
  primary key (policy, subject)
) with (fillfactor = 50);

-- A shorter retention, until a second person confirms it.
create table retention_asking (
  account_id  issued_id   primary key references account,
  days        integer     not null,
  asked_by    issued_id   not null,                                    -- a key or a person
  asked_in    issued_id[],                                             -- see two-people.ts
  enrolled_by issued_id[],
  asked_at    timestamptz not null,                                    -- can be confirmed for seven days
  mac         text        not null default ''
);

-- Changes of an account's retention.
create table retention_change (
  account_id  issued_id   not null references account,
  changed_at  timestamptz not null default now(),
  changed_by  issued_id   not null,                                    -- a key or a person
  asked_by    issued_id,                                               -- who asked for a shorter one; null: it is longer
  days_before retention_days,
  days_after  retention_days
);
create index retention_change_account on retention_change (account_id, changed_at);

-- A check value of each master key, to detect a wrong one.
create table master_key_check (
  master_key_id text  primary key,
  value         bytea not null
);

-- The keys that encrypt (`encrypt`) and index values, each wrapped by a master key.
create table data_key (
  id            integer     primary key generated always as identity,
  purpose       text        not null check (purpose in ('encrypt', 'index')),
  account_id    issued_id   references account,                        -- null: the service
  master_key_id text        not null references master_key_check,
  wrapped       bytea       not null,
  created_at    timestamptz not null default now()
);
create unique index data_key_owner on data_key (purpose, account_id) nulls not distinct;
