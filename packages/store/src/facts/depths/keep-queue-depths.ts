import { sql } from 'kysely';
import { PAIR_LOCKS } from '../../locks.ts';
import type { Store } from '../../open-store.ts';
import { countQueueDepths, type DepthCount, LIVE_COUNT_MAX, rowCountOf } from './count-queue-depths.ts';

/**
 * Counts a queue and keeps its depths for whoever asks, where it is long. Of several processes at once one counts. A
 * queue that has become short is forgotten: it is counted when somebody asks.
 */
export async function keepQueueDepths(
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
        claimable_count, oldest_due_at, oldest_claimable_at)
      select ${queue}, depth.* from jsonb_to_recordset(${JSON.stringify(depths)}::jsonb) as depth
        (account_id text, payer_id text, channel text, waiting_count int, leased_count int, overdue_count int,
         claimable_count int, oldest_due_at timestamptz, oldest_claimable_at timestamptz)`.execute(trx);
    await trx
      .insertInto('queue_count')
      .values({ queue, counted_at: sql<Date>`now()`, row_count: total, duration_ms: Math.ceil(tookMs) })
      .execute();
  });
}

const TOTALS: ReadonlySet<string> = new Set(['live', 'test', 'all']);
