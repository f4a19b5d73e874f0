import { sql } from 'kysely';

/** Seconds for which a claim holds a delivery. The worker renews it every 2 s while it sends. */
export const LEASE_SECONDS = 10;

/** Claims without a finished attempt after which a row is given up: it kills or confuses every worker. */
export const CLAIM_COUNT_MAX = 20;

/** A worker's hold on a delivery. The token fences: whoever lost the lease changes nothing. */
export interface Lease {
  readonly deliveryId: string;
  readonly leaseToken: string;
}

/**
 * Lets the transaction around it commit without waiting for the disk: for leases alone. One that a crash of the
 * database takes back was held by a worker that lost its connection with it, and the row falls due again.
 */
export const withoutFlush = sql`set_config('synchronous_commit', 'off', true)`;
