import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // Each of these foreign keys looked up and locked a row for every request, and would hinder dropping a month of
  // requests. They are redundant: the account is that of the caller's key, which references it, as does the data key
  // that seals the input; an idempotency key's request is inserted with it.
  sql`alter table request drop constraint request_account_id_fkey`,
  sql`alter table idempotency_key drop constraint idempotency_key_account_id_fkey,
    drop constraint idempotency_key_request_id_fkey`,

  // A list is one walk per pair of outcome and delivery, so two indexes that split the rows serve it as well as two
  // over all rows did. A create writes only the narrow one; a result, or its delivery, the other.
  sql`create index request_open on request (account_id, delivery, id desc) where outcome = 'none'`,
  sql`create index request_finished on request (account_id, outcome, delivery, id desc) where outcome <> 'none'`,
  sql`drop index request_newest, request_state`,

  // By payer, so that the search for overdue requests skips those of a payer that no longer has a route.
  sql`create index request_channel_over on request (payer_id, channel_until)
    where outcome = 'none' and channel_until is not null`,
  sql`drop index request_channel_until`,
];

/** Reduces the writes of an incoming request and the reads of the search for overdue ones. */
export const leanerIntake: Migration = {
  up: async (db) => {
    for (const statement of statements) await statement.execute(db);
  },
};
