import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Removes the end of the lease from the queue's index. So a lease, a renewal and a release change no index, and with
 * room in the row's page they are written only there (HOT): a lease touched four indexes before. A claim skips the
 * leased rows of its lane, which are at most those that workers have in progress there.
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
