import { sql } from 'kysely';

export const limitTables = [
  // The budgets shared by all processes. Unlogged: a server crash empties it, and every budget starts anew. Half of
  // each page stays free, so an update, the only change to a row, finds room beside it and touches no index.
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
];
