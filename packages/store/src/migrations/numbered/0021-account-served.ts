import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // When a request of each account was last leased, by which claims take turns. Written by every claim, each row in its
  // page alone: half of it is left free for that. Accounts without a row come first.
  sql`create table account_served (
    account_id issued_id primary key,
    served_at timestamptz not null default now()
  ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_cost_delay = 0)`,
];

/** Tells claims which account was served when, without its attempts. */
export const accountServed: Migration = {
  up: async (db) => {
    for (const statement of statements) await statement.execute(db);
  },
};
