import { sql } from 'kysely';
import { countHeldOutputs } from './count-held-outputs.ts';

export const outputTables = [
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

  // client: HMAC of an address; null for keyed senders. named_request_id: an anonymous sender's unchecked claim. A
  // foreign key would look up and lock the request, so a known id would take longer than an unknown one.
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
    client bytea,
    named_request_id issued_id,
    check ((status = 'held') = (settled_at is null))
  )`,
  sql`create unique index held_output_once on held_output (digest) where status = 'held'`,
  sql`create index held_output_open on held_output (id desc) include (byte_count) where status = 'held'`,
  sql`create index held_output_age on held_output (received_at)`,
  // In order: the lists and bulk dismissals of one reason; the outputs held for one key; the outputs that a newer
  // anonymous one displaces (dismissed ones first, then the oldest), of all clients and of its own.
  sql`create index held_output_reason on held_output (reason, id) where status = 'held'`,
  sql`create index held_output_key on held_output (received_by) include (byte_count)
    where status = 'held' and received_by is not null`,
  sql`create index held_output_anonymous on held_output ((status = 'held'), id) include (byte_count)
    where received_by is null and status <> 'applied'`,
  sql`create index held_output_client on held_output (client, (status = 'held'), id)
    where received_by is null and status <> 'applied'`,
  ...countHeldOutputs,
];
