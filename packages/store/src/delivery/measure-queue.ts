import { sql } from 'kysely';
import type { Store } from '../open-store.ts';

export interface DeliveryQueue {
  /** Deliveries that are not finished, leased or waiting. */
  readonly pendingCount: number;
  /** Seconds for which the longest due row has waited; 0 when none is due. */
  readonly oldestDueSeconds: number;
}

/** The delivery queue's depth and age, for metrics. */
export async function measureDeliveryQueue({ db }: Store): Promise<DeliveryQueue> {
  const { rows } = await sql<{ pending: string; oldest: number | null }>`
    select count(*) as pending,
      extract(epoch from now() - min(greatest(run_at, coalesce(lease_until, run_at))))::float8 as oldest
    from delivery where done_at is null`.execute(db);
  return { pendingCount: Number(rows[0]?.pending ?? 0), oldestDueSeconds: Math.max(rows[0]?.oldest ?? 0, 0) };
}
