import { type RawBuilder, sql } from 'kysely';
import { withoutFlush } from '../connection/role-settings.ts';
import type { Store } from '../open-store.ts';

/** Seconds for which a claim holds a delivery. The worker renews it every 2 s while sending. */
export const LEASE_SECONDS = 10;

/** Claims without a finished attempt after which a row is given up: it crashes or confuses every worker. */
export const FRUITLESS_CLAIM_COUNT_MAX = 20;

/** A worker's hold on a delivery. The token is a fencing token: a worker that lost the lease changes nothing. */
export interface Lease {
  readonly deliveryId: string;
  readonly leaseToken: string;
}

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

/** Returns claimed deliveries unsent: due at once, without counting an attempt or a claim. */
export async function releaseLeases({ db }: Store, leases: readonly Lease[]): Promise<void> {
  if (leases.length === 0) return;
  await sql`
    with held as (${lockLeases(leases)})
    update delivery_queue set lease = null, leased_at = null, leased_until = null,
      claim_count = greatest(claim_count - 1, 0)
    from held where delivery_queue.delivery_id = held.delivery_id`.execute(db);
}

/**
 * Ends the lease of a delivery that cannot be sent now because its encrypted values cannot be decrypted here. It is not due until
 * the lease would have ended, and the claim counts, so that it is eventually given up; but no worker was lost, so no
 * attempt is recorded.
 */
export async function setAside({ db }: Store, { deliveryId, leaseToken }: Lease): Promise<void> {
  await sql`
    update delivery_queue set lease = null, leased_at = null, leased_until = null,
      run_at = greatest(run_at, leased_until), planned_at = now()
    where delivery_id = ${deliveryId} and lease = ${leaseToken}`.execute(db);
}

/**
 * Selects and locks the rows that still have the given lease token, in id order: a renewal and a drain's release touch
 * the same rows and would otherwise deadlock.
 */
function lockLeases(
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
