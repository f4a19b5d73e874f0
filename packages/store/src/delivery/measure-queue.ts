import { sql } from 'kysely';
import type { Store } from '../open-store.ts';

export interface DeliveryQueue {
  /** Unfinished deliveries, leased or waiting. */
  readonly pendingCount: number;
  /** Seconds that the longest-due row has waited; 0 when none is due. */
  readonly oldestDueSeconds: number;
}

/** The delivery queue's depth and age, for metrics. */
export async function measureDeliveryQueue({ db }: Store): Promise<DeliveryQueue> {
  const dueAt = sql`greatest(run_at, coalesce(lease_until, run_at))`;
  const { pending, oldest } = await db
    .selectFrom('delivery')
    .select((delivery) => [
      delivery.fn.countAll<string>().as('pending'),
      sql<number | null>`extract(epoch from now() - min(${dueAt}))::float8`.as('oldest'),
    ])
    .where('done_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { pendingCount: Number(pending), oldestDueSeconds: Math.max(oldest ?? 0, 0) };
}
