import type { Store } from '../../open-store.ts';
import { readQueueDepths } from './read-queue-depths.ts';

export interface DeliveryQueue {
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
