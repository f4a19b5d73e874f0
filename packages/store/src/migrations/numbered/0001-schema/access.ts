import { sql } from 'kysely';

export const accessTables = [
  // suspended_at: null while the account's keys work. allowed_cidrs: null means anywhere; if an account and its key
  // both name networks, both must match.
  sql`create table account (
    id issued_id primary key,
    name text not null,
    kind text not null check (kind in ('provider', 'platform')),
    mode text not null check (mode in ('live', 'test')),
    webhook_secret bytea not null,
    previous_webhook_secret bytea,
    previous_webhook_secret_until timestamptz,
    created_at timestamptz not null default now(),
    suspended_at timestamptz,
    allowed_cidrs text[] check (cardinality(allowed_cidrs) > 0)
  )`,

  // The secrets before an account's previous one: after several rotations within a day, each secret signs for a day. A
  // claim reads this table only for accounts with a previous secret, which is in a row it joins anyway.
  sql`create table earlier_webhook_secret (
    account_id issued_id not null references account,
    secret bytea not null,
    valid_until timestamptz not null
  )`,
  sql`create index earlier_webhook_secret_account on earlier_webhook_secret (account_id, valid_until)`,
  sql`create index earlier_webhook_secret_valid_until on earlier_webhook_secret (valid_until)`,

  sql`create table api_key (
    id issued_id primary key,
    account_id issued_id not null references account,
    hash bytea not null unique,
    prefix text not null,
    name text,
    scopes text[] not null check (cardinality(scopes) > 0 and
      scopes <@ array['requests', 'secrets', 'verify', 'operate', 'admin', 'audit', 'privacy']),
    bootstrap boolean not null default false,
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz,
    allowed_cidrs text[] check (cardinality(allowed_cidrs) > 0)
  )`,
  sql`create index api_key_account on api_key (account_id)`,
  // Lets each scrape count the keys that expire soon. Using a key changes neither column, so those updates stay HOT.
  sql`create index api_key_expires on api_key (expires_at) where revoked_at is null`,

  // The last applied bootstrap values of the environment, as keyed hashes: a value that merely stays in the environment
  // must not undo later changes made through the API.
  sql`create table applied_bootstrap (
    variable text primary key check (variable in ('BOOTSTRAP_API_KEY', 'BOOTSTRAP_WEBHOOK_SECRET')),
    hash bytea not null,
    applied_at timestamptz not null default now()
  )`,

  // No foreign keys: a record of access must outlive what was accessed. subject_id: the account, key or held output
  // that a line is about.
  sql`create table access_log (
    id bigint generated always as identity primary key,
    at timestamptz not null default now(),
    key_id issued_id,
    account_id issued_id,
    operation text not null,
    request_id issued_id,
    subject_id issued_id
  )`,
  sql`create index access_log_request on access_log (request_id, id) where request_id is not null`,
  sql`create function refuse_change() returns trigger language plpgsql as $$
    begin raise exception 'access_log is append-only'; end $$`,
  sql`create trigger access_log_append_only before update or delete or truncate on access_log
    for each statement execute function refuse_change()`,
];
