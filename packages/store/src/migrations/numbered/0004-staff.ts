import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // People. account_id: null for the platform's. Rows are never removed: the audit log names people for as long as it
  // is kept.
  sql`create table staff (
    id issued_id primary key,
    name text not null, -- as a JSON string, like an account's
    account_id issued_id references account,
    roles text[] not null check (cardinality(roles) > 0 and
      roles <@ array['viewer', 'requester', 'verifier', 'operator', 'admin', 'auditor', 'privacy']),
    created_at timestamptz not null default now(),
    ended_at timestamptz
  )`,

  // Unused one-time links. hash: a keyed HMAC of the token, which is not stored.
  sql`create table sign_in_link (
    hash bytea primary key,
    staff_id issued_id not null references staff,
    expires_at timestamptz not null
  )`,
  sql`create index sign_in_link_staff on sign_in_link (staff_id)`,
  sql`create index sign_in_link_expires on sign_in_link (expires_at)`,

  // Sessions. used_at is updated with use; the automatic end derives from it and from expires_at.
  sql`create table staff_session (
    id issued_id primary key,
    staff_id issued_id not null references staff,
    hash bytea not null unique,
    created_at timestamptz not null default now(),
    used_at timestamptz not null default now(),
    expires_at timestamptz not null,
    ended_at timestamptz
  )`,
  sql`create index staff_session_staff on staff_session (staff_id)`,
  sql`create index staff_session_expires on staff_session (expires_at)`,
];

/** People who sign in, their one-time links and their sessions. */
export const staff: Migration = {
  up: async (db) => {
    for (const statement of statements) await statement.execute(db);
  },
};
