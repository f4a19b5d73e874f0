import { type Kysely, type RawBuilder, sql } from 'kysely';
import { PAIR_LOCKS } from '../locks.ts';
import type { Store } from '../open-store.ts';
import type { QueueKind } from '../tables/facts.ts';
import { channelOf, type Route, secondsBack } from '../tables/intake.ts';
import type { Tables } from '../tables/tables.ts';

/** An older count is ignored: no process renews it. */
const BELIEVED = '15 minutes';

/**
 * The depths of a queue. A short one is counted now. A long one was counted by housekeeping (see `refreshQueueDepths`),
 * and is read from a table with a row for each place in it: as much work however long it is.
 */
export async function readQueueDepths(
  store: Pick<Store, 'db'>,
  { scope, ...count }: DepthCount & { readonly scope: NonNullable<DepthCount['scope']> },
): Promise<QueueDepths> {
  const { db } = store;
  // One that has just become long is counted here, once for all readers.
  const known = (await lastCount(db, count.queue)) ?? (await countIfLong(store, count));
  if (known) return { countedAt: known, depths: await keptDepths(db, count.queue, scope) };
  const depths = await countQueueDepths(db, { ...count, scope });
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db);
  return { countedAt: rows[0]?.now ?? new Date(), depths };
}

/** Whether a queue has more rows than are counted when it is read, as an expression. */
const isLong = (queue: QueueKind): RawBuilder<boolean> =>
  sql`exists (select from ${sql.table(TABLES[queue])} offset ${LIVE_COUNT_MAX})`;

const TABLES = { work: 'work_queue', delivery: 'delivery_queue' } as const satisfies Record<
  QueueKind,
  string
>;

/** Counts and stores a long queue. @returns when it was counted; undefined for a short one, or if another counts it. */
async function countIfLong(
  store: Pick<Store, 'db'>,
  count: Pick<DepthCount, 'queue' | 'routes'>,
): Promise<Date | undefined> {
  const { rows } = await sql<{ long: boolean }>`select ${isLong(count.queue)} as long`.execute(store.db);
  if (!rows[0]?.long) return undefined;
  await keepQueueDepths(store, count);
  return lastCount(store.db, count.queue);
}

/** When a long queue was counted; undefined for a short one. */
async function lastCount(db: Kysely<Tables>, queue: QueueKind): Promise<Date | undefined> {
  const row = await db
    .selectFrom('queue_count')
    .select('counted_at')
    .where('queue', '=', queue)
    .where('counted_at', '>', sql<Date>`now() - ${BELIEVED}::interval`)
    .executeTakeFirst();
  return row?.counted_at;
}

function keptDepths(
  db: Kysely<Tables>,
  queue: QueueKind,
  scope: string | readonly string[],
): Promise<QueueDepth[]> {
  return db
    .selectFrom('queue_depth')
    .select([
      'account_id',
      'payer_id',
      'channel',
      'waiting_count',
      'leased_count',
      'overdue_count',
      'claimable_count',
      'oldest_due_at',
      'oldest_claimable_at',
      'late_count',
      'next_needed_at',
    ])
    .select(secondsSince(sql`oldest_due_at`).as('oldest_seconds'))
    .select(secondsSince(sql`oldest_claimable_at`).as('oldest_claimable_seconds'))
    .where('queue', '=', queue)
    .where('account_id', '=', sql<string>`any (${typeof scope === 'string' ? [scope] : scope}::text[])`)
    .execute();
}

interface DeliveryQueue {
  /** Unfinished deliveries, leased or waiting. */
  readonly pendingCount: number;
  /** Seconds that the longest-due row has waited; 0 when none is due. */
  readonly oldestDueSeconds: number;
}

/** The delivery queue's depth and age, for metrics. */
export async function measureDeliveryQueue(store: Store): Promise<DeliveryQueue> {
  const { depths } = await readQueueDepths(store, { queue: 'delivery', routes: [], scope: 'all' });
  const [depth] = depths;
  return {
    pendingCount: (depth?.waiting_count ?? 0) + (depth?.leased_count ?? 0),
    oldestDueSeconds: depth?.oldest_seconds ?? 0,
  };
}

/** A queue is counted again after at least this long, and after a hundred times what its last count took. */
const PAUSE_MS_MIN = 10_000;
const PAUSES_PER_COUNT = 100;

/**
 * Counts the long queues again whose last count is old, one percent of the time at most, and those that have become long.
 * For housekeeping.
 */
export async function refreshQueueDepths(
  store: Pick<Store, 'db'>,
  { routes }: { readonly routes: readonly Route[] },
): Promise<void> {
  const becameLong = (queue: QueueKind) => sql`
    select ${queue}::text where not exists (select from queue_count where queue = ${queue}) and ${isLong(queue)}`;
  const { rows: due } = await sql<{ queue: QueueKind }>`
    select queue from queue_count
    where counted_at < now() - greatest(${PAUSE_MS_MIN}, duration_ms * ${PAUSES_PER_COUNT}::int) * interval '1 millisecond'
    union all ${becameLong('work')} union all ${becameLong('delivery')}`.execute(store.db);
  for (const { queue } of due) await keepQueueDepths(store, { queue, routes });
}

interface QueueDepths {
  readonly countedAt: Date;
  readonly depths: readonly QueueDepth[];
}

/**
 * Counts a queue and stores its depths, if it is long. Of several processes one counts at a time. The depths of a
 * queue that became short are deleted: it is counted when it is read.
 */
async function keepQueueDepths(
  { db }: Pick<Store, 'db'>,
  { queue, routes }: Pick<DepthCount, 'queue' | 'routes'>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ is_mine: boolean }>`
      select pg_try_advisory_xact_lock(${PAIR_LOCKS.queueCount}, hashtext(${queue})) as is_mine`.execute(trx);
    if (!rows[0]?.is_mine) return;
    const startedAt = performance.now();
    const depths = await countQueueDepths(trx, { queue, routes, scope: null });
    const tookMs = performance.now() - startedAt;
    await trx.deleteFrom('queue_depth').where('queue', '=', queue).execute();
    await trx.deleteFrom('queue_count').where('queue', '=', queue).execute();
    // An account's rows are counted twice: for it, and for all.
    const total = rowCountOf(depths.filter(({ account_id: id }) => TOTALS.has(id)));
    if (total <= LIVE_COUNT_MAX) return;
    await sql`
      insert into queue_depth (queue, account_id, payer_id, channel, waiting_count, leased_count, overdue_count,
        claimable_count, oldest_due_at, oldest_claimable_at, late_count, next_needed_at)
      select ${queue}, depth.* from jsonb_to_recordset(${JSON.stringify(depths)}::jsonb) as depth
        (account_id text, payer_id text, channel text, waiting_count int, leased_count int, overdue_count int,
         claimable_count int, oldest_due_at timestamptz, oldest_claimable_at timestamptz, late_count int,
         next_needed_at timestamptz)`.execute(trx);
    await trx
      .insertInto('queue_count')
      .values({ queue, counted_at: sql<Date>`now()`, row_count: total, duration_ms: Math.ceil(tookMs) })
      .execute();
  });
}

const TOTALS: ReadonlySet<string> = new Set(['live', 'test', 'all']);

/** The requests or deliveries that wait in one place of a queue. */
export interface QueueDepth {
  /** The account's id, or `live` or `test` for all accounts of that mode; `all` for deliveries. */
  readonly account_id: string;
  /** Empty for deliveries, like `channel`. */
  readonly payer_id: string;
  readonly channel: string;
  readonly waiting_count: number;
  readonly leased_count: number;
  readonly overdue_count: number;
  /** The number that a claim of the place would lease now; 0 for deliveries. */
  readonly claimable_count: number;
  /** The earliest due time of the waiting ones; null when none waits. */
  readonly oldest_due_at: Date | null;
  readonly oldest_seconds: number | null;
  /** The earliest due time of the claimable ones. */
  readonly oldest_claimable_at: Date | null;
  readonly oldest_claimable_seconds: number | null;
  /** Those of the claimable whose account needed the result before the count; 0 for deliveries. */
  readonly late_count: number;
  /** When the next of the other claimable ones is needed; null where none says when. */
  readonly next_needed_at: Date | null;
}

/** How long ago a time was, 0 for one to come. */
export const secondsSince = (time: RawBuilder<unknown>): RawBuilder<number | null> =>
  sql<
    number | null
  >`case when ${time} is not null then greatest(extract(epoch from now() - ${time}), 0)::float8 end`;

interface DepthCount {
  readonly queue: QueueKind;
  /**
   * They define when a request that waits for a route's first channel is overdue, and how often each channel is
   * tried.
   */
  readonly routes: readonly Route[];
  /** Counts only these accounts' requests: `live`, `test`, or ids; null counts everything, by account and in total. */
  readonly scope: string | readonly string[] | null;
}

/** A queue with up to this many rows is counted when it is asked about; a longer one by housekeeping. */
export const LIVE_COUNT_MAX = 500;

/** The rows that were counted. */
const rowCountOf = (depths: readonly QueueDepth[]): number =>
  depths.reduce((sum, { waiting_count, leased_count }) => sum + waiting_count + leased_count, 0);

/**
 * Counts a queue: it reads only unfinished rows, by an index of those. Every measure of the queues uses this
 * statement.
 */
async function countQueueDepths(db: Kysely<Tables>, count: DepthCount): Promise<QueueDepth[]> {
  const { rows } = await (count.queue === 'work' ? workDepths(count) : deliveryDepths).execute(db);
  return rows;
}

function workDepths({ routes, scope }: DepthCount): RawBuilder<QueueDepth> {
  const first = routes.map((route) => ({
    payerId: route.payerId,
    seconds: secondsBack(route, channelOf(route, 'entry')),
  }));
  const channels = routes.flatMap((route) =>
    route.channels.map((channel) => ({ payerId: route.payerId, ...channel })),
  );
  const [inScope, scopes] = scopeOf(scope);
  // As `choose_work` has it: due, also where a lease has lapsed, and not yet tried as often as its channel is.
  const isClaimable = sql`ready_at <= now() and pool <> 'sandbox'
    and (tried.attempt_count_max is null or attempt_count < tried.attempt_count_max)`;
  return sql<QueueDepth>`
    select ${scopes} as account_id, work_queue.payer_id, work_queue.channel,
      count(*) filter (where leased_until is null)::int as waiting_count,
      count(*) filter (where leased_until is not null)::int as leased_count,
      count(*) filter (where channel_until <= now() or work_queue.channel = 'entry'
        and waits_since <= now() - make_interval(secs => first.seconds))::int as overdue_count,
      min(waits_since) filter (where leased_until is null) as oldest_due_at,
      ${secondsSince(sql`min(waits_since) filter (where leased_until is null)`)} as oldest_seconds,
      count(*) filter (where ${isClaimable})::int as claimable_count,
      min(waits_since) filter (where ${isClaimable}) as oldest_claimable_at,
      ${secondsSince(sql`min(waits_since) filter (where ${isClaimable})`)} as oldest_claimable_seconds,
      count(*) filter (where ${isClaimable} and needed_by <= now())::int as late_count,
      min(needed_by) filter (where ${isClaimable} and needed_by > now()) as next_needed_at
    from work_queue
    left join unnest(${first.map(({ payerId }) => payerId)}::text[], ${first.map(({ seconds }) => seconds)}::float8[])
      as first (payer_id, seconds) on first.payer_id = work_queue.payer_id
    left join unnest(${channels.map(({ payerId }) => payerId)}::text[],
      ${channels.map(({ source }) => source)}::text[], ${channels.map(({ attemptCountMax }) => attemptCountMax)}::int[])
      as tried (payer_id, channel, attempt_count_max)
      on tried.payer_id = work_queue.payer_id and tried.channel = work_queue.channel
    where ${inScope} and pool <> 'canceled'
    group by 1, 2, 3`;
}

/** The rows of a scope, and the name they are counted under; for all scopes, a row once for each that it is in. */
function scopeOf(scope: DepthCount['scope']): [RawBuilder<unknown>, RawBuilder<unknown>] {
  if (scope === null)
    return [
      sql`true`,
      sql`unnest(array[work_queue.account_id, case when pool = 'live' then 'live' else 'test' end])`,
    ];
  if (scope === 'live' || scope === 'test')
    return [sql`(pool = 'live') = ${sql.lit(scope === 'live')}`, sql`${scope}::text`];
  const accountIds = typeof scope === 'string' ? [scope] : scope;
  return [sql`work_queue.account_id = any (${accountIds}::text[])`, sql`work_queue.account_id::text`];
}

/** A leased one is due when its lease ends. */
const dueAt = sql`min(greatest(run_at, coalesce(leased_until, run_at)))`;

const deliveryDepths = sql<QueueDepth>`
  select 'all' as account_id, '' as payer_id, '' as channel,
    count(*) filter (where lease is null)::int as waiting_count,
    count(*) filter (where lease is not null)::int as leased_count, 0 as overdue_count,
    0 as claimable_count, ${dueAt} as oldest_due_at, ${secondsSince(dueAt)} as oldest_seconds,
    null::timestamptz as oldest_claimable_at, null::float8 as oldest_claimable_seconds, 0 as late_count,
    null::timestamptz as next_needed_at
  from delivery_queue`;
