import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // retention_days: null keeps the data. erases_from: nothing is erased before. erased_through: every request up to this
  // id was erased, or waits in erasure_later.
  sql`alter table account
    add column retention_days integer check (retention_days between 3 and 3650),
    add column erases_from timestamptz,
    add column erased_through issued_id`,
  sql`update account set retention_days = 30, erases_from = now() + interval '1 day' where mode = 'test'`,

  // erased_reason: the slug of its error, in the clear, once the sealed reason is gone.
  sql`alter table request add column erased_at timestamptz, add column erased_reason text`,

  // Requests that were not old enough when their account's turn came: they were worked on, or delivered, for long.
  // since: they are finished no earlier, so that nobody looks before the retention is over.
  sql`create table erasure_later (
    account_id issued_id,
    request_id issued_id,
    since timestamptz not null,
    primary key (account_id, request_id)
  )`,
  sql`create index erasure_later_since on erasure_later (account_id, since)`,

  // Who changed a retention, from what to what: a line of the access log has no place for it.
  sql`create table retention_change (
    account_id issued_id,
    changed_at timestamptz not null default now(),
    changed_by issued_id not null,
    days_before integer,
    days_after integer
  )`,
  sql`create index retention_change_account on retention_change (account_id, changed_at)`,
];

/** Days after which a finished request loses its data, per account; 30 for test accounts. */
export const retention: Migration = {
  up: async (db) => {
    for (const statement of statements) await statement.execute(db);
  },
};
