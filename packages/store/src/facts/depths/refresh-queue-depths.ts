import { sql } from 'kysely';
import type { Store } from '../../open-store.ts';
import type { Route } from '../../tables/route.ts';
import { keepQueueDepths } from './keep-queue-depths.ts';

/** A queue is counted again after at least this long, and after a hundred times what its last count took. */
const PAUSE_MS_MIN = 10_000;
const PAUSES_PER_COUNT = 100;

/** Counts the long queues again whose last count is old, one percent of the time at most. For housekeeping. */
export async function refreshQueueDepths(
  store: Pick<Store, 'db'>,
  { routes }: { readonly routes: readonly Route[] },
): Promise<void> {
  const due = await store.db
    .selectFrom('queue_count')
    .select('queue')
    .where(
      'counted_at',
      '<',
      sql<Date>`now() - greatest(${PAUSE_MS_MIN}, duration_ms * ${PAUSES_PER_COUNT}::int) * interval '1 millisecond'`,
    )
    .execute();
  for (const { queue } of due) await keepQueueDepths(store, { queue, routes });
}
