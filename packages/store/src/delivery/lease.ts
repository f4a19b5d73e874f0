/** Seconds for which a claim holds a delivery. The worker renews it every 2 s while it sends. */
export const LEASE_SECONDS = 10;

/** Claims without a finished attempt after which a row is given up: it kills or confuses every worker. */
export const CLAIM_COUNT_MAX = 20;

/** A worker's hold on a delivery. The token fences: whoever lost the lease changes nothing. */
export interface Lease {
  readonly deliveryId: string;
  readonly leaseToken: string;
}
