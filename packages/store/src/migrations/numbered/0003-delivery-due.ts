import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Leaves room in each page for a delivery's next versions, which are then written there alone (HOT). */
export const deliveryDue: Migration = {
  up: async (db) => {
    await sql`alter table delivery set (fillfactor = 60)`.execute(db);
  },
};
