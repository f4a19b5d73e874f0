import { type Kysely, sql } from 'kysely';
import type { Store } from '../../open-store.ts';
import type { QueueKind } from '../../tables/facts.ts';
import type { Tables } from '../../tables/tables.ts';
import {
  countQueueDepths,
  type DepthCount,
  LIVE_COUNT_MAX,
  type QueueDepth,
  rowCountOf,
  secondsSince,
} from './count-queue-depths.ts';
import { keepQueueDepths } from './keep-queue-depths.ts';

export interface QueueDepths {
  readonly countedAt: Date;
  readonly depths: readonly QueueDepth[];
}

/** A count that nobody renews any more is not believed. */
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
  const known = await lastCount(db, count.queue);
  if (known) return { countedAt: known, depths: await keptDepths(db, count.queue, scope) };
  const depths = await countQueueDepths(db, { ...count, scope });
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db);
  if (rowCountOf(depths) > LIVE_COUNT_MAX) await keepQueueDepths(store, count);
  return { countedAt: rows[0]?.now ?? new Date(), depths };
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
    ])
    .select(secondsSince(sql`oldest_due_at`).as('oldest_seconds'))
    .select(secondsSince(sql`oldest_claimable_at`).as('oldest_claimable_seconds'))
    .where('queue', '=', queue)
    .where('account_id', '=', sql<string>`any (${typeof scope === 'string' ? [scope] : scope}::text[])`)
    .execute();
}
