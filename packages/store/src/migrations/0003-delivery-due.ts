import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The queue's index no longer says until when a row is leased. So a lease, a renewal and a release change no index, and
 * with room in the row's page they are written there alone (HOT): a lease touched four indexes before. A claim passes
 * over the rows of its lane that are leased; it meets no more of them than workers have under way there.
 */
export const deliveryDue: Migration = {
  up: async (db) => {
    await sql`drop index delivery_due`.execute(db);
    await sql`create index delivery_due on delivery (destination_host, account_id, run_at) where done_at is null`.execute(
      db,
    );
    await sql`alter table delivery set (fillfactor = 60)`.execute(db);
  },
};
