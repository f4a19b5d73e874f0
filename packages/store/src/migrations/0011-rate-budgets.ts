import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // Without a log: a crash of the server empties it, and every budget begins anew. Half of each page is left free, so
  // that an update, the only thing that happens to a row, finds room beside it and touches no index.
  sql`create unlogged table rate_budget (
    policy text not null,
    subject text not null,
    tat timestamptz not null,
    granted integer not null,
    primary key (policy, subject)
  ) with (fillfactor = 50)`,

  sql`create table account_limit (
    account_id issued_id not null references account,
    policy text not null,
    quota integer not null check (quota > 0),
    window_seconds integer not null check (window_seconds > 0),
    set_at timestamptz not null default now(),
    primary key (account_id, policy)
  )`,

  // Null: from anywhere. Of an account and of a key; where both are given, both must match.
  sql`alter table account add column allowed_cidrs text[] check (cardinality(allowed_cidrs) > 0)`,
  sql`alter table api_key add column allowed_cidrs text[] check (cardinality(allowed_cidrs) > 0)`,
];

/** What callers may take: the budgets that all processes share, the limits of single accounts, the networks of keys. */
export const rateBudgets: Migration = {
  up: async (db) => {
    for (const statement of statements) await statement.execute(db);
  },
};
