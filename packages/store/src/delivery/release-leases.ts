import { sql } from 'kysely';
import type { Store } from '../open-store.ts';
import type { Lease } from './lease.ts';

/** Gives claimed deliveries back unsent, due at once and charged neither an attempt nor a claim. */
export async function releaseLeases({ db }: Store, leases: readonly Lease[]): Promise<void> {
  if (leases.length === 0) return;
  await sql`
    update delivery set lease_token = null, lease_until = null, claim_count = greatest(claim_count - 1, 0)
    from unnest(${leases.map((lease) => lease.deliveryId)}::text[], ${leases.map((lease) => lease.leaseToken)}::uuid[])
      as held (id, token)
    where delivery.id = held.id and delivery.lease_token = held.token`.execute(db);
}
