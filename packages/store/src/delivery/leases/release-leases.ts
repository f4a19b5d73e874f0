import { sql } from 'kysely';
import type { Store } from '../../open-store.ts';
import type { Lease } from './lease.ts';
import { lockLeases } from './lock-leases.ts';

/** Returns claimed deliveries unsent: due at once, without counting an attempt or a claim. */
export async function releaseLeases({ db }: Store, leases: readonly Lease[]): Promise<void> {
  if (leases.length === 0) return;
  await sql`
    with held as (${lockLeases(leases)})
    update delivery_queue set lease = null, leased_at = null, leased_until = null,
      claim_count = greatest(claim_count - 1, 0)
    from held where delivery_queue.delivery_id = held.delivery_id`.execute(db);
}
