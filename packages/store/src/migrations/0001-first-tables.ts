import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  sql`create domain issued_id as text collate "C"`,

  sql`create table master_key_check (master_key_id text primary key, value bytea not null)`,

  sql`create table account (
    id issued_id primary key,
    name text not null,
    kind text not null check (kind in ('provider', 'platform')),
    mode text not null check (mode in ('live', 'test')),
    webhook_secret bytea not null,
    previous_webhook_secret bytea,
    previous_webhook_secret_until timestamptz,
    created_at timestamptz not null default now()
  )`,

  // account_id is null for the system's own keys: one seals held outputs, one indexes.
  sql`create table data_key (
    id integer generated always as identity primary key,
    purpose text not null check (purpose in ('seal', 'index')),
    account_id issued_id references account,
    master_key_id text not null references master_key_check,
    wrapped bytea not null,
    created_at timestamptz not null default now(),
    unique nulls not distinct (purpose, account_id)
  )`,

  sql`create table api_key (
    id issued_id primary key,
    account_id issued_id not null references account,
    hash bytea not null unique,
    prefix text not null,
    name text,
    scopes text[] not null check (scopes <@ array['requests', 'verify', 'operate'] and cardinality(scopes) > 0),
    bootstrap boolean not null default false,
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz
  )`,
  sql`create index api_key_account on api_key (account_id)`,

  // No foreign keys: who looked at what must outlive what was looked at.
  sql`create table access_log (
    id bigint generated always as identity primary key,
    at timestamptz not null default now(),
    key_id issued_id,
    account_id issued_id,
    operation text not null,
    request_id issued_id
  )`,
  sql`create index access_log_request on access_log (request_id, id) where request_id is not null`,
  sql`create function refuse_change() returns trigger language plpgsql as $$
    begin raise exception 'access_log is append-only'; end $$`,
  sql`create trigger access_log_append_only before update or delete or truncate on access_log
    for each statement execute function refuse_change()`,

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
    check ((outcome = 'none') = (version = 0))
  )`,
  sql`create index request_newest on request (account_id, id desc)`,
  sql`create index request_state on request (account_id, outcome, delivery, id desc)`,

  sql`create table idempotency_key (
    account_id issued_id not null references account,
    key bytea not null,
    body_digest bytea not null,
    request_id issued_id not null references request,
    created_at timestamptz not null default now(),
    primary key (account_id, key)
  )`,
  sql`create index idempotency_key_age on idempotency_key (created_at)`,

  sql`create table result (
    request_id issued_id references request,
    version integer check (version > 0),
    outcome text not null check (outcome in ('complete', 'error_verifying')),
    body bytea not null,
    digest bytea not null,
    applied_at timestamptz not null default now(),
    applied_by issued_id,
    held_output_id issued_id,
    primary key (request_id, version)
  )`,

  sql`create table held_output (
    id issued_id primary key,
    reason text not null check (reason in ('untrusted', 'unmatched', 'input_mismatch', 'superseding')),
    request_id issued_id references request,
    digest bytea not null,
    body bytea not null,
    byte_count integer not null,
    status text not null default 'held' check (status in ('held', 'applied', 'dismissed')),
    received_at timestamptz not null default now(),
    received_by issued_id,
    settled_at timestamptz,
    settled_by issued_id,
    note bytea,
    check ((status = 'held') = (settled_at is null))
  )`,
  sql`create unique index held_output_once on held_output (digest) where status = 'held'`,
  sql`create index held_output_open on held_output (id desc) include (byte_count) where status = 'held'`,
  sql`create index held_output_age on held_output (received_at)`,

  sql`create table delivery (
    id issued_id primary key,
    request_id issued_id not null,
    version integer not null,
    account_id issued_id not null references account,
    destination bytea not null,
    destination_host bytea not null,
    body bytea not null,
    status text not null default 'pending' check (status in ('pending', 'delivered', 'exhausted', 'superseded')),
    reason text,
    attempt_count integer not null default 0,
    round_attempt_count integer not null default 0,
    claim_count integer not null default 0,
    run_at timestamptz not null default now(),
    lease_token uuid,
    lease_until timestamptz,
    accepted_at timestamptz not null default now(),
    done_at timestamptz,
    unique (request_id, version),
    foreign key (request_id, version) references result,
    check ((status = 'pending') = (done_at is null))
  )`,
  // The queue itself: unfinished rows only, in the order in which they fall due (a leased row when its lease ends).
  sql`create index delivery_due on delivery ((greatest(run_at, coalesce(lease_until, run_at)))) where done_at is null`,

  sql`create table delivery_attempt (
    delivery_id issued_id references delivery,
    number integer check (number > 0),
    at timestamptz not null,
    outcome text not null,
    status_code integer,
    duration_ms integer not null,
    response_snippet bytea,
    primary key (delivery_id, number)
  )`,
];

/** Everything a request needs from intake to signed delivery. Ids and slugs compare byte by byte (`collate "C"`). */
export const firstTables: Migration = {
  up: async (db) => {
    for (const statement of statements) await statement.execute(db);
  },
};
