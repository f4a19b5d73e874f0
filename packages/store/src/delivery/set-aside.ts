import { sql } from 'kysely';
import type { Store } from '../open-store.ts';
import type { Lease } from './lease.ts';

/**
 * Ends the lease of a delivery that cannot be sent now, since its sealed values do not open here. It stays put away
 * until the lease would have ended, and the claim counts, so that after the last it is given up; but no worker was
 * lost, so there is no attempt to write down.
 */
export async function setAside({ db }: Store, { deliveryId, leaseToken }: Lease): Promise<void> {
  await sql`
    update delivery set lease_token = null, lease_until = null, run_at = greatest(run_at, lease_until)
    where id = ${deliveryId} and lease_token = ${leaseToken}`.execute(db);
}
