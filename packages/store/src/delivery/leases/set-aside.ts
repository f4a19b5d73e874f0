import { sql } from 'kysely';
import type { Store } from '../../open-store.ts';
import type { Lease } from './lease.ts';

/**
 * Ends the lease of a delivery that cannot be sent now because its sealed values do not open here. It is not due until
 * the lease would have ended, and the claim counts, so that it is eventually given up; but no worker was lost, so no
 * attempt is recorded.
 */
export async function setAside({ db }: Store, { deliveryId, leaseToken }: Lease): Promise<void> {
  await sql`
    update delivery_queue set lease = null, leased_at = null, leased_until = null,
      run_at = greatest(run_at, leased_until)
    where delivery_id = ${deliveryId} and lease = ${leaseToken}`.execute(db);
}
