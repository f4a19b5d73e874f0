import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // What happened in an hour, in numbers. account_id: an account's id; 'live' or 'test' for all accounts of that mode,
  // so that a report over all of them reads no more rows than one over a single account. Empty: does not apply.
  // buckets and bucket_counts: a sparse histogram of durations (see `bucketOf`), null where nothing is timed. A third of
  // each page stays free, since the rows of the current hour are updated.
  sql`create table hourly_fact (
    account_id text collate "C" not null,
    kind text not null,
    hour timestamptz not null,
    payer_id text not null,
    channel text not null,
    reason text not null,
    count integer not null,
    sum_ms bigint not null,
    max_ms bigint not null,
    buckets smallint[],
    bucket_counts integer[],
    primary key (account_id, kind, hour, payer_id, channel, reason)
  ) with (fillfactor = 70)`,
  // One row. Everything written before counted_until is in the facts, nothing later is. event_count: in the last batch.
  sql`create table fact_progress (
    id boolean primary key default true check (id),
    counted_until timestamptz not null,
    event_count integer not null
  )`,
  sql`insert into fact_progress (counted_until, event_count) values ('-infinity', 0)`,

  // The sender's clock says when an attempt or an exchange took place; this says when it was written. Older rows have
  // null: they were written about when they took place.
  sql`alter table delivery_attempt add column recorded_at timestamptz`,
  sql`alter table delivery_attempt alter column recorded_at set default now()`,
  sql`alter table x12_exchange add column recorded_at timestamptz`,
  sql`alter table x12_exchange alter column recorded_at set default now()`,

  // How deep the long queues were when they were last counted; see `readQueueDepths`.
  sql`create table queue_depth (
    queue text not null check (queue in ('work', 'delivery')),
    account_id text collate "C" not null,
    payer_id text not null,
    channel text not null,
    waiting_count integer not null,
    leased_count integer not null,
    overdue_count integer not null,
    oldest_due_at timestamptz,
    primary key (queue, account_id, payer_id, channel)
  )`,
  sql`create table queue_count (
    queue text primary key check (queue in ('work', 'delivery')),
    counted_at timestamptz not null,
    row_count integer not null,
    duration_ms integer not null
  )`,
];

/** Facts by the hour, what it takes to count each event once, and the depths of the queues. */
export const hourlyFacts: Migration = {
  up: async (db) => {
    for (const statement of statements) await statement.execute(db);
  },
};
