-- Accounts, their keys, what they may use, and the keys that seal their data.

create table account (
  id                            issued_id   primary key,
  name                          text        not null,                  -- a JSON string: `text` holds no NUL and no lone surrogate
  kind                          text        not null check (kind in ('provider', 'platform')),
  mode                          text        not null check (mode in ('live', 'test')),
  webhook_secret                bytea       not null,                  -- sealed
  previous_webhook_secret       bytea,                                 -- sealed; null when none is valid beside the present one
  previous_webhook_secret_until timestamptz,
  created_at                    timestamptz not null default now(),
  suspended_at                  timestamptz,                           -- since when its keys are refused; null while they work
  allowed_cidrs                 text[]      check (cardinality(allowed_cidrs) > 0), -- networks its keys work from; null: anywhere
  retention_days                retention_days,                        -- from a request's end to its erasure; null: never
  erases_from                   timestamptz,                           -- nothing is erased before
  erased_through                issued_id,                             -- each request up to this one is erased, or in erasure_later
  is_demo                       boolean     not null default false check (not is_demo or mode = 'test'), -- of a demo day, deleted with it
  mac                           text        not null default '',       -- see 00-domains.sql
  constraint account_previous_secret check (num_nulls(previous_webhook_secret, previous_webhook_secret_until) in (0, 2))
);

-- Secrets before the previous one that are still valid: two rotations within a day.
create table earlier_webhook_secret (
  account_id  issued_id   not null references account,
  secret      bytea       not null,                                    -- sealed
  valid_until timestamptz not null
);
create index earlier_webhook_secret_account     on earlier_webhook_secret (account_id, valid_until);
create index earlier_webhook_secret_valid_until on earlier_webhook_secret (valid_until);

create table api_key (
  id            issued_id   primary key,
  account_id    issued_id   not null references account,
  hash          bytea       not null unique,                           -- HMAC of the key's text
  prefix        text        not null,                                  -- its first characters, to tell keys apart
  name          text,                                                  -- a JSON string
  scopes        text[]      not null check (cardinality(scopes) > 0 and scopes <@
                              array['requests', 'secrets', 'verify', 'operate', 'admin', 'audit', 'privacy']),
  bootstrap     boolean     not null default false,                    -- of BOOTSTRAP_API_KEY, or of the first start
  created_at    timestamptz not null default now(),
  expires_at    timestamptz,
  revoked_at    timestamptz,
  last_used_at  timestamptz,
  allowed_cidrs text[]      check (cardinality(allowed_cidrs) > 0),    -- besides those of its account; null: anywhere
  created_by    issued_id,                                             -- a person, or a key; null: the first start
  made_by       issued_id[],                                           -- created_by, and who may have acted in it: see src/access/two-people.ts
  verify_within jsonb       check (jsonb_typeof(verify_within) = 'object'), -- what `verify` is kept to; null: nothing
  mac           text        not null default ''
);
create index api_key_account on api_key (account_id);
create index api_key_expires on api_key (expires_at) where revoked_at is null;

-- The variables of the first start that were applied, so that the same value is not applied again.
create table applied_bootstrap (
  variable   text        primary key check (variable in ('BOOTSTRAP_API_KEY', 'BOOTSTRAP_WEBHOOK_SECRET')),
  hash       bytea       not null,                                     -- HMAC of the value
  applied_at timestamptz not null default now()
);

-- Quotas that an operator set for an account; other policies have their defaults.
create table account_limit (
  account_id     issued_id   references account,
  policy         text,
  quota          integer     not null check (quota > 0),
  window_seconds integer     not null check (window_seconds > 0),
  set_at         timestamptz not null default now(),
  primary key (account_id, policy)
);

-- What is left of the quotas, which a crash may forget.
create unlogged table rate_budget (
  policy  text,
  subject text,
  tat     timestamptz not null,                                        -- GCRA: when the whole quota is available again
  granted integer     not null,                                        -- units of the last slice
  primary key (policy, subject)
) with (fillfactor = 50);

-- A shorter retention that somebody asked for, until another person confirms it.
create table retention_asking (
  account_id  issued_id   primary key references account,
  days        integer     not null,
  asked_by    issued_id   not null,                                    -- a key or a person
  asked_in    issued_id[],                                             -- see src/access/two-people.ts
  enrolled_by issued_id[],
  asked_at    timestamptz not null,                                    -- it can be confirmed for seven days
  mac         text        not null default ''
);

-- Who changed how long an account's data is kept.
create table retention_change (
  account_id  issued_id   not null references account,
  changed_at  timestamptz not null default now(),
  changed_by  issued_id   not null,                                    -- a key or a person
  asked_by    issued_id,                                               -- who asked for a shorter one; null for a longer one
  days_before retention_days,
  days_after  retention_days
);
create index retention_change_account on retention_change (account_id, changed_at);

-- A known text under each master key, by which a wrong one is recognised.
create table master_key_check (
  master_key_id text  primary key,
  value         bytea not null
);

-- The keys that seal values and index them, each wrapped under a master key.
create table data_key (
  id            integer     primary key generated always as identity,
  purpose       text        not null check (purpose in ('seal', 'index')),
  account_id    issued_id   references account,                        -- null: the service's own
  master_key_id text        not null references master_key_check,
  wrapped       bytea       not null,
  created_at    timestamptz not null default now()
);
create unique index data_key_owner on data_key (purpose, account_id) nulls not distinct;
