import { type RawBuilder, sql } from 'kysely';
import type { Lease } from './lease.ts';

/**
 * Selects and locks the rows that still have the given lease token, in id order: a renewal and a drain's release touch
 * the same rows and would otherwise deadlock.
 */
export function lockLeases(
  leases: readonly Lease[],
  { skipLocked = false }: { skipLocked?: boolean } = {},
): RawBuilder<unknown> {
  return sql`
    select delivery_id, leased_until from delivery_queue
    join unnest(${leases.map((lease) => lease.deliveryId)}::text[], ${leases.map((lease) => lease.leaseToken)}::uuid[])
      as held (id, token) on delivery_id = held.id and lease = held.token
    order by delivery_id
    for no key update of delivery_queue ${sql.raw(skipLocked ? 'skip locked' : '')}`;
}
