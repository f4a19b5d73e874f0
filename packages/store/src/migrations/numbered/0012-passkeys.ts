import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // hash: HMAC of the credential's id. credential: its id, public key and transports, sealed for the row. name: as a
  // JSON string, like an account's.
  sql`create table passkey (
    id issued_id primary key,
    staff_id issued_id not null references staff,
    hash bytea not null unique,
    credential bytea not null,
    sign_count bigint not null,
    name text not null,
    created_at timestamptz not null default now(),
    used_at timestamptz
  )`,
  sql`create index passkey_staff on passkey (staff_id, id)`,

  // Challenges that came back signed; each works once. hash: a keyed HMAC.
  sql`create table used_passkey_challenge (hash bytea primary key, expires_at timestamptz not null)`,
  sql`create index used_passkey_challenge_expires on used_passkey_challenge (expires_at)`,

  sql`alter table staff_session drop constraint staff_session_way_check`,
  sql`alter table staff_session add constraint staff_session_way_check check (way in ('link', 'provider', 'passkey'))`,

  // How people have set up the console: what differs from the default.
  sql`create table staff_settings (
    staff_id issued_id primary key references staff,
    settings jsonb not null
  )`,
];

/** Passkeys, sessions begun with one, and people's settings. */
export const passkeys: Migration = {
  up: async (db) => {
    for (const statement of statements) await statement.execute(db);
  },
};
