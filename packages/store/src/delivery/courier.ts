import type { ClaimedDelivery, Lane } from './claim-due-deliveries.ts';

/**
 * A delivery worker of this process. It takes deliveries over while they are made, so that they need not be claimed,
 * read and decrypted; what it has no place for waits in the queue as before.
 */
export interface Courier {
  /** Takes a place for a delivery that is about to be written; null when none is free, or others wait for it. */
  readonly reserve: (lane: Lane) => Reservation | null;
  /** Deliveries were written that it has no place for. */
  readonly wake: () => void;
}

/** One of the two is called, once. */
export interface Reservation {
  /** The delivery is written, under a lease of this worker. */
  readonly begin: (claimed: ClaimedDelivery) => void;
  /** It is not, or its lease is given back. */
  readonly free: () => void;
}
