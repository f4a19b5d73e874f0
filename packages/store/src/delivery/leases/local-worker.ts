import type { Lane } from './claim-due-deliveries.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';

/**
 * A delivery worker of this process. It takes over deliveries as they are created, which saves claiming, reading and
 * decrypting them; those it has no slot for wait in the queue as usual.
 */
export interface LocalWorker {
  /** Reserves a slot for a delivery about to be written; null when none is free, or others wait for it. */
  readonly reserve: (lane: Lane) => Reservation | null;
  /** Called after deliveries without a reservation were written. */
  readonly wake: () => void;
}

/** Exactly one of the two is called, once. */
export interface Reservation {
  /** The delivery was written, under this worker's lease. */
  readonly begin: (claimed: ClaimedDelivery) => void;
  /** It was not written, or its lease was given back. */
  readonly free: () => void;
}
