import { sql } from 'kysely';

export const intakeTables = [
  // The request row is the verification queue. `entry` is the first channel of the payer's route, determined when the
  // request is claimed: the insert need not know the routes.
  sql`create table request (
    id issued_id primary key,
    account_id issued_id not null references account,
    payer_id text not null,
    payer_name text not null,
    input bytea not null,
    received_at timestamptz not null default now(),
    outcome text not null default 'none' check (outcome in ('none', 'complete', 'error_verifying')),
    outcome_reason bytea,
    delivery text not null default 'none' check (delivery in ('none', 'pending', 'delivered', 'exhausted')),
    delivery_reason text,
    version integer not null default 0,
    progress bytea,
    progress_at timestamptz,
    sandbox boolean not null default false,
    channel text not null default 'entry' check (channel in
      ('entry', 'api', 'agent_web_portal', 'agent_phone_call', 'manual_web_portal', 'manual_phone_call')),
    channel_entered_at timestamptz not null default now(),
    channel_until timestamptz,
    channel_attempt_count integer not null default 0,
    verification_attempt_count integer not null default 0,
    work_due_at timestamptz not null default now(),
    lease_token uuid,
    lease_until timestamptz,
    open_to_test_verifiers boolean not null default false,
    check ((outcome = 'none') = (version = 0)),
    check ((lease_token is null) = (lease_until is null)),
    check (outcome = 'none' or lease_token is null)
  )`,
  sql`create index request_newest on request (account_id, id desc)`,
  sql`create index request_state on request (account_id, outcome, delivery, id desc)`,

  // Unfinished requests per payer and channel, by account, longest due first. Accounts are sorted by their hash, so a
  // walk from a random start meets them evenly. No lease column: claims and heartbeats stay HOT.
  sql`create index request_work on request
    (sandbox, payer_id, channel, hashtext(account_id), account_id, work_due_at) where outcome = 'none'`,
  sql`create index request_leased on request (payer_id) where lease_token is not null`,
  sql`create index request_channel_until on request (channel_until)
    where outcome = 'none' and channel_until is not null`,
  // The requests that the sandbox has not checked yet, however many wait for the verifiers of test accounts. It has no
  // live rows, and claims of live rows do not read it.
  sql`create index request_sandbox on request
    (payer_id, channel, hashtext(account_id), account_id, work_due_at)
    where outcome = 'none' and sandbox = true and not open_to_test_verifiers`,

  sql`create table idempotency_key (
    account_id issued_id not null references account,
    key bytea not null,
    body_digest bytea not null,
    request_id issued_id not null references request,
    created_at timestamptz not null default now(),
    primary key (account_id, key)
  )`,
  sql`create index idempotency_key_age on idempotency_key (created_at)`,
];
