import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // Each looked its row up and locked it for every request, and would stand in the way of dropping a month of requests.
  // The account is that of the key that the caller came with, which references it, as does the data key that seals the
  // input; the request of an idempotency key is inserted with it.
  sql`alter table request drop constraint request_account_id_fkey`,
  sql`alter table idempotency_key drop constraint idempotency_key_account_id_fkey,
    drop constraint idempotency_key_request_id_fkey`,

  // A list is one walk for each pair of outcome and delivery, so two indexes that share the rows do what two over all
  // did. A create writes the narrow one alone, and a result, or a delivery of it, the other one.
  sql`create index request_open on request (account_id, delivery, id desc) where outcome = 'none'`,
  sql`create index request_finished on request (account_id, outcome, delivery, id desc) where outcome <> 'none'`,
  sql`drop index request_newest, request_state`,

  // By payer, so that what waits for one that has no route any more is not read at every look for what is overdue.
  sql`create index request_channel_over on request (payer_id, channel_until)
    where outcome = 'none' and channel_until is not null`,
  sql`drop index request_channel_until`,
];

/** Less to write for a request that comes in, and less to read until it is overdue. */
export const leanerIntake: Migration = {
  up: async (db) => {
    for (const statement of statements) await statement.execute(db);
  },
};
