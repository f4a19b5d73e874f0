import { type RawBuilder, sql } from 'kysely';
import { LOOK_MINUTES } from './access/record-access.ts';
import type { Store } from './open-store.ts';
import { keepingHolds } from './retention/standing-holds.ts';
import type { Tables } from './tables/tables.ts';
import { DRAFT_DAYS } from './verification/drafts.ts';

interface Retention {
  readonly table: keyof Tables;
  /** The start of the retention. */
  readonly column: string;
  /** A PostgreSQL interval. */
  readonly kept: string;
  /** Only these rows. */
  readonly where?: RawBuilder<unknown>;
  /** Its rows are about requests: what a legal hold keeps stays. */
  readonly isHeldByRequest?: true;
}

const RETENTIONS: readonly Retention[] = [
  // Settled or not.
  { table: 'held_output', column: 'received_at', kept: '30 days', isHeldByRequest: true },
  // The promise is at least 24 hours.
  { table: 'idempotency_key', column: 'created_at', kept: '48 hours' },
  { table: 'earlier_webhook_secret', column: 'valid_until', kept: '0' },
  // Unused for a window: equal to no row.
  { table: 'rate_budget', column: 'tat', kept: '0' },
  { table: 'sign_in_link', column: 'expires_at', kept: '0' },
  { table: 'used_logout_token', column: 'expires_at', kept: '0' },
  { table: 'used_passkey_challenge', column: 'expires_at', kept: '0' },
  // The latest possible end.
  { table: 'staff_session', column: 'expires_at', kept: '0' },
  { table: 'look', column: 'began_at', kept: `${LOOK_MINUTES} minutes` },
  { table: 'draft', column: 'saved_at', kept: `${DRAFT_DAYS} days`, isHeldByRequest: true },
  // The faults of a batch's rejected rows, with the sender's own ids of them.
  { table: 'batch_row', column: 'received_at', kept: '30 days', where: sql`errors is not null` },
  { table: 'receiver_hour', column: 'hour', kept: '2 days' },
  // Its hours are gone by then. The next attempt writes it again.
  { table: 'receiver', column: 'last_attempt_at', kept: '30 days' },
  // Longer than a request waits for its payer.
  { table: 'payer_outage', column: 'ended_at', kept: '60 days' },
  // The evidence of inquiries to payers: a year of reports, and a month to read the last one.
  { table: 'x12_exchange', column: 'started_at', kept: '400 days', isHeldByRequest: true },
];

/**
 * Rows removed by one statement. All at once, a backlog gathered while nothing cleaned up could exceed the statement
 * time-out of 15 s at every try: two million exchanges do (100,000 took 0.75 s, in batches as well).
 */
const BATCH_COUNT = 10_000;

/** Removes rows past their retention. Any process may call it at any time. */
export async function removeExpired(store: Store): Promise<void> {
  for (const retention of RETENTIONS) while ((await removeBatch(store, retention)) === BATCH_COUNT);
  while ((await removeEvents(store)) === BATCH_COUNT);
  await sql`
    delete from webhook_endpoint where least(ended_at, expires_at) < now() - ${EVENTS_KEPT}::interval
      and not exists (select from delivery where delivery.endpoint_id = webhook_endpoint.id)`.execute(
    store.db,
  );
  // The promise is at least 24 hours.
  await sql`
    update batch set key = null where key is not null and ended_at is not null
      and received_at < now() - interval '48 hours'`.execute(store.db);
  await store.db
    .updateTable('account')
    .set({ previous_webhook_secret: null, previous_webhook_secret_until: null })
    .where('previous_webhook_secret_until', '<', sql<Date>`now()`)
    .execute();
}

/** How long events, and the faults of rejected rows, are kept, as the contract says. */
const EVENTS_KEPT = '30 days';

/**
 * Removes events with their deliveries and attempts, `work.available` after an hour. One whose delivery is still due is kept, as is one that a receiver
 * takes its name from: each goes with a later call.
 */
async function removeEvents({ db }: Store): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with expired as materialized (
      select id from event
      where (occurred_at < now() - ${EVENTS_KEPT}::interval
          or type = 'work.available' and occurred_at < now() - interval '1 hour') and not exists (
        select from delivery where delivery.event_id = event.id
          and (delivery.done_at is null or exists (select from receiver where receiver.delivery_id = delivery.id)))
      order by occurred_at limit ${BATCH_COUNT} for update skip locked
    ), old as materialized (
      select delivery.id from delivery join expired on expired.id = delivery.event_id
    ), attempts as (
      delete from delivery_attempt using old where delivery_id = old.id
    ), deliveries as (
      delete from delivery using old where delivery.id = old.id
    ), events as (
      delete from event using expired where event.id = expired.id returning 1
    )
    select count(*)::int as count from events`.execute(db);
  return rows[0]?.count ?? 0;
}

async function removeBatch(
  store: Store,
  { table, column, kept, where = sql`true`, isHeldByRequest }: Retention,
): Promise<number> {
  const isHeld = isHeldByRequest ? await isHeldWith(store, table) : sql<boolean>`false`;
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any (array(
      select ctid from ${sql.table(table)} where ${sql.ref(column)} < now() - ${kept}::interval
        and ${where} and not ${isHeld}
      order by ${sql.ref(column)} limit ${BATCH_COUNT}))`.execute(store.db);
  return Number(numAffectedRows);
}

/** Whether the request that a row names is under a legal hold. */
async function isHeldWith(store: Store, table: string): Promise<RawBuilder<boolean>> {
  const holds = await keepingHolds(store, { requestIds: 'any' });
  if (holds.length === 0) return sql<boolean>`false`;
  const accountIds = holds.flatMap(({ accountId, requestId }) => (requestId === null ? accountId : []));
  const requestIds = holds.flatMap(({ requestId }) => requestId ?? []);
  return sql<boolean>`exists (
    select from request where request.id = ${sql.ref(`${table}.request_id`)}
      and (request.id = any (${requestIds}) or request.account_id = any (${accountIds})))`;
}
