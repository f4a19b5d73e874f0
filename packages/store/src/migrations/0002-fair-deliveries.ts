import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // When the lease that stands was taken: what the attempt of a lost worker says of itself.
  sql`alter table delivery add column leased_at timestamptz`,
  // By lane, a receiver's host and an account, and only then by due time: a claim goes from lane to lane, so however
  // many rows wait for one dead host, it reads no more of them than it may lease.
  sql`drop index delivery_due`,
  sql`create index delivery_due on delivery (destination_host, account_id, (greatest(run_at, coalesce(lease_until, run_at))))
    where done_at is null`,
];

/** Claims that are fair across hosts, and attempts that outlive their worker. */
export const fairDeliveries: Migration = {
  up: async (db) => {
    for (const statement of statements) await statement.execute(db);
  },
};
