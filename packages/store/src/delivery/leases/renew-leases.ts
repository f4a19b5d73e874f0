import { sql } from 'kysely';
import { withoutFlush } from '../../connection/without-flush.ts';
import type { Store } from '../../open-store.ts';
import { LEASE_SECONDS, type Lease } from './lease.ts';
import { lockLeases } from './lock-leases.ts';

/**
 * Extends the leases that still hold; returns the ids of those deliveries. The worker must stop the missing ones. With
 * `skipLocked`, a missing row may also be locked by another transaction, for example in a hanging commit.
 */
export async function renewLeases(
  { db }: Store,
  leases: readonly Lease[],
  options: { skipLocked?: boolean } = {},
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    with held as (${lockLeases(leases, options)})
    update delivery_queue set leased_at = least(leased_at, now()), leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
    from held where delivery_queue.delivery_id = held.delivery_id and held.leased_until > now()
    returning delivery_queue.delivery_id as id, ${withoutFlush}`.execute(db);
  return new Set(rows.map((row) => row.id));
}
