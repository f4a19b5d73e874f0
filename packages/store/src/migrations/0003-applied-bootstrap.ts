import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What the environment's bootstrap values were when they were last applied, as a keyed hash: a value that merely stays
 * in the environment must not undo what was done through the API since.
 */
export const appliedBootstrap: Migration = {
  up: async (db) => {
    await sql`create table applied_bootstrap (
      variable text primary key check (variable in ('BOOTSTRAP_API_KEY', 'BOOTSTRAP_WEBHOOK_SECRET')),
      hash bytea not null,
      applied_at timestamptz not null default now()
    )`.execute(db);
  },
};
