import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Finds an account's exhausted deliveries by when they were exhausted, however many were delivered meanwhile. */
export const exhaustedDeliveries: Migration = {
  up: async (db) => {
    await sql`create index delivery_exhausted on delivery (account_id, done_at) where status = 'exhausted'`.execute(
      db,
    );
  },
};
