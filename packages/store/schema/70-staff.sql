-- People: who may sign in, their sessions and passkeys, and their settings.

create table staff (
  id            issued_id   primary key,
  name          text        not null,                                  -- a JSON string, like an account's
  account_id    issued_id   references account,                        -- null: the platform
  roles         text[]      not null check (cardinality(roles) > 0 and roles <@
                              array['viewer', 'requester', 'verifier', 'operator', 'admin', 'auditor', 'privacy']),
  allowed_cidrs text[]      check (cardinality(allowed_cidrs) > 0),    -- the networks they work from; null: any
  verify_within jsonb       check (jsonb_typeof(verify_within) = 'object'), -- limits of the role `verifier`; null: none
  created_at    timestamptz not null default now(),
  ended_at      timestamptz,                                           -- when their access ended
  made_by       issued_id[],                                           -- who added them, then all who may have acted as it: see two-people.ts
  mac           text        not null default ''
);
create index staff_ended on staff (ended_at) where ended_at is not null;

-- A link that signs one person in, once.
create table sign_in_link (
  hash       bytea       primary key,                                  -- HMAC of its token
  staff_id   issued_id   not null references staff,
  expires_at timestamptz not null,
  made_by    issued_id[],                                              -- as in staff; null: the service
  mac        text        not null default ''
);
create index sign_in_link_staff   on sign_in_link (staff_id);
create index sign_in_link_expires on sign_in_link (expires_at);

create table staff_session (
  id            issued_id   primary key,
  staff_id      issued_id   not null references staff,
  hash          bytea       not null unique,                           -- HMAC of the cookie's token
  origin_hash   bytea       not null,                                  -- HMAC of the secret that pages of its origin send
  created_at    timestamptz not null default now(),
  used_at       timestamptz not null default now(),
  expires_at    timestamptz not null,
  ended_at      timestamptz,                                           -- when it was ended early
  way           text        not null default 'link' check (way in ('link', 'provider', 'passkey')),
  link_by       issued_id[],                                           -- who made its link, or enrolled its passkey or identity
  proven_at     timestamptz default now(),                             -- when they last authenticated; null: the provider does not report it
  device        text,                                                  -- browser and system, in words
  issuer        text,                                                  -- of OpenID Connect
  provider_sid  text,                                                  -- the provider's own session
  on_call_until timestamptz,                                           -- a phone call or a portal keeps it open without use
  mac           text        not null default ''
);
create index staff_session_staff    on staff_session (staff_id);
create index staff_session_expires  on staff_session (expires_at);
create index staff_session_provider on staff_session (issuer, provider_sid) where provider_sid is not null;

-- A person as an OpenID Connect provider identifies them.
create table staff_identity (
  issuer       text,
  subject      text,
  staff_id     issued_id   not null references staff,
  signed_in_at timestamptz default now(),                              -- null once the provider signed them out
  link_by      issued_id[],                                            -- who invited them; null: no one else
  mac          text        not null default '',
  primary key (issuer, subject)
);
create index staff_identity_staff on staff_identity (staff_id);

create table used_logout_token (
  hash       bytea       primary key,                                  -- HMAC of issuer and jti
  expires_at timestamptz not null
);
create index used_logout_token_expires on used_logout_token (expires_at);

-- Hours of emergency access, in which a person has more rights.
create table emergency_access (
  session_id issued_id,
  begun_at   timestamptz default now(),
  ends_at    timestamptz not null,
  staff_id   issued_id   not null references staff,
  mac        text        not null default '',
  primary key (session_id, begun_at),
  constraint emergency_access_ends check (ends_at > begun_at)
);
create index emergency_access_staff on emergency_access (staff_id, begun_at);

create table passkey (
  id         issued_id   primary key,
  staff_id   issued_id   not null references staff,
  hash       bytea       not null unique,                              -- HMAC of the credential's id
  credential bytea       not null,                                     -- encrypted, so that a row added in SQL signs no one in
  sign_count bigint      not null check (sign_count >= 0),             -- as the authenticator reports it; 0: it does not count
  name       text        not null,                                     -- a JSON string
  created_at timestamptz not null default now(),
  used_at    timestamptz
);
create index passkey_staff on passkey (staff_id, id);

create table used_passkey_challenge (
  hash       bytea       primary key,                                  -- HMAC of the challenge
  expires_at timestamptz not null
);
create index used_passkey_challenge_expires on used_passkey_challenge (expires_at);

create table staff_settings (
  staff_id issued_id primary key references staff,
  settings jsonb     not null check (jsonb_typeof(settings) = 'object') -- only those that differ from the default
);
