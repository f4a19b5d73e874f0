import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Written and removed with every request: vacuum must not wait for a share of what a flood once left. */
const QUEUE_SETTINGS = `autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 50000,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000, autovacuum_vacuum_cost_delay = 0`;

/** By default vacuum comes when a fifth of a table has changed: two million dead rows, at ten million. */
const GROWING_SETTINGS = `autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02`;

const statements = [
  // What claims, time-outs and the list of pending requests look for: the unfinished requests, by account and by queue.
  // Triggers write it from `request`, whoever changes that, so it is an index rather than a second queue. It stands apart
  // from the table because an update that changes no indexed column is written in the row's page alone (HOT): as indexes
  // of `request` these columns made every claim, renewal and release write all of its indexes.
  // due_at: the start of the wait; of a leased request, the end of its lease. Accounts are sorted by their hash, so a
  // walk from a random start meets them evenly.
  sql`create table work_queue (
    account_id issued_id,
    request_id issued_id,
    pool text not null,
    payer_id text not null,
    channel text not null,
    due_at timestamptz not null,
    leased_until timestamptz,
    channel_until timestamptz,
    attempt_count integer not null,
    primary key (account_id, request_id)
  ) with (${sql.raw(QUEUE_SETTINGS)})`,
  sql`create index work_queue_next on work_queue
    (pool, payer_id, channel, hashtext(account_id), account_id, due_at)`,
  sql`create index work_queue_leased on work_queue (payer_id, leased_until) where leased_until is not null`,
  sql`create index work_queue_channel_over on work_queue (payer_id, channel_until)
    where channel_until is not null`,
  ...follow('request', {
    inserted: `insert into work_queue (account_id, request_id, pool, payer_id, channel, due_at, leased_until,
        channel_until, attempt_count)
      select account_id, id, ${poolOf('new_row')}, payer_id, channel, greatest(work_due_at, lease_until), lease_until,
        channel_until, channel_attempt_count
      from new_row where outcome = 'none';`,
    changes: `(old.outcome = 'none' or new.outcome = 'none') and
      (old.outcome, old.channel, old.work_due_at, old.lease_until, old.channel_until, old.channel_attempt_count,
        old.open_to_test_verifiers)
      is distinct from (new.outcome, new.channel, new.work_due_at, new.lease_until, new.channel_until,
        new.channel_attempt_count, new.open_to_test_verifiers)`,
    changed: `if new.outcome <> 'none' then
        delete from work_queue where account_id = new.account_id and request_id = new.id;
        return null;
      end if;
      update work_queue set pool = ${poolOf('new')}, channel = new.channel,
        due_at = greatest(new.work_due_at, new.lease_until), leased_until = new.lease_until,
        channel_until = new.channel_until, attempt_count = new.channel_attempt_count
      where account_id = new.account_id and request_id = new.id;
      if not found then
        insert into work_queue (account_id, request_id, pool, payer_id, channel, due_at, leased_until, channel_until,
          attempt_count)
        values (new.account_id, new.id, ${poolOf('new')}, new.payer_id, new.channel,
          greatest(new.work_due_at, new.lease_until), new.lease_until, new.channel_until, new.channel_attempt_count);
      end if;`,
  }),

  // The unfinished deliveries by lane, a receiver's host and an account, the longest due first. A lease is not part of
  // it: a claim skips the leased rows of its lane, which are at most those that workers have in progress there.
  sql`create table delivery_queue (
    destination_host bytea,
    account_id issued_id,
    run_at timestamptz,
    delivery_id issued_id,
    primary key (destination_host, account_id, run_at, delivery_id)
  ) with (${sql.raw(QUEUE_SETTINGS)})`,
  ...follow('delivery', {
    inserted: `insert into delivery_queue (destination_host, account_id, run_at, delivery_id)
      select destination_host, account_id, run_at, id from new_row where done_at is null;`,
    changes: `(old.done_at is null) <> (new.done_at is null) or new.done_at is null and old.run_at <> new.run_at`,
    changed: `if old.done_at is null then
        delete from delivery_queue where destination_host = old.destination_host and account_id = old.account_id
          and run_at = old.run_at and delivery_id = old.id;
      end if;
      if new.done_at is null then
        insert into delivery_queue (destination_host, account_id, run_at, delivery_id)
        values (new.destination_host, new.account_id, new.run_at, new.id);
      end if;`,
  }),

  // Indexed in place of the states they derive from: those change with every delivery, and these only with a failed one.
  sql`alter table request add column undelivered boolean not null default false`,
  sql`alter table delivery add column exhausted_at timestamptz`,
  ...derive('request', 'delivery', `new.undelivered := new.delivery = 'exhausted'`),
  ...derive(
    'delivery',
    'status',
    `new.exhausted_at := case when new.status = 'exhausted' then new.done_at end`,
  ),

  // A list of one state reads these two facts from different tables.
  sql`alter table request add constraint request_delivers_outcome check (outcome <> 'none' or delivery = 'none')
    not valid`,

  // A message is put together from its request and result, which are stored anyway.
  sql`alter table delivery alter column body drop not null`,

  // Room in each page for the next versions of its rows. A delivery is smaller since its body is not stored.
  sql`alter table request set (fillfactor = 70)`,
  sql`alter table delivery set (fillfactor = 80)`,

  ...['request', 'delivery', 'result', 'verification_attempt', 'delivery_attempt', 'access_log'].map(
    (table) => sql`alter table ${sql.table(table)} set (${sql.raw(GROWING_SETTINGS)})`,
  ),
];

/** Keeps the unfinished requests and deliveries in narrow tables, in step with their rows. */
export const queues: Migration = {
  up: async (db) => {
    for (const statement of statements) await statement.execute(db);
  },
};

/** See `Pool`. */
function poolOf(row: string): string {
  return `case when not ${row}.sandbox then 'live' when ${row}.open_to_test_verifiers then 'test' else 'sandbox' end`;
}

interface Following {
  readonly inserted: string;
  readonly changes: string;
  readonly changed: string;
}

/** Triggers that write a table's queue: one call for all rows of an insert, and one for each row that moves. */
function follow(table: string, { inserted, changes, changed }: Following) {
  return [
    sql.raw(`create function ${table}_queued() returns trigger language plpgsql as $$
    begin
      ${inserted}
      return null;
    end $$`),
    sql.raw(`create trigger ${table}_queued after insert on ${table}
    referencing new table as new_row for each statement execute function ${table}_queued()`),
    sql.raw(`create function ${table}_moved() returns trigger language plpgsql as $$
    begin
      ${changed}
      return null;
    end $$`),
    sql.raw(`create trigger ${table}_moved after update on ${table} for each row
    when (${changes}) execute function ${table}_moved()`),
  ];
}

function derive(table: string, column: string, assignment: string) {
  return [
    sql.raw(`create function ${table}_exhausted() returns trigger language plpgsql as $$
    begin
      ${assignment};
      return new;
    end $$`),
    sql.raw(`create trigger ${table}_exhausted before update on ${table} for each row
    when (old.${column} = 'exhausted' or new.${column} = 'exhausted') execute function ${table}_exhausted()`),
  ];
}
