import { sql } from 'kysely';

export const limitTables = [
  // The budgets that all processes share. Without a log: a crash of the server empties it, and every budget begins anew.
  // Half of each page is left free, so that an update, the only thing that happens to a row, finds room beside it and
  // touches no index.
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
