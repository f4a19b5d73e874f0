/** Seconds for which a claim holds a delivery. The worker renews it every 2 s while sending. */
export const LEASE_SECONDS = 10;

/** Claims without a finished attempt after which a row is given up: it crashes or confuses every worker. */
export const FRUITLESS_CLAIM_COUNT_MAX = 20;

/** A worker's hold on a delivery. The token is a fencing token: a worker that lost the lease changes nothing. */
export interface Lease {
  readonly deliveryId: string;
  readonly leaseToken: string;
}
