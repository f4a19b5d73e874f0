import type { ClaimedDelivery, Lane, Reservation } from '@insurance-verification/store';

/** Places taken for deliveries that are about to be written. */
export interface Reservations {
  /** For a place that was just taken. */
  readonly make: (lane: Lane) => Reservation;
  /** Resolves when none is open; each settles within the time-out of its statement. */
  readonly settled: () => Promise<void>;
}

export interface ReservationsOptions {
  readonly begin: (claimed: ClaimedDelivery) => void;
  /** Gives the place back, and the lease that would have been held. */
  readonly free: (lane: Lane) => void;
}

export function createReservations({ begin, free }: ReservationsOptions): Reservations {
  let openCount = 0;
  let endWait: (() => void) | undefined;
  const settle = () => {
    openCount -= 1;
    if (openCount === 0) endWait?.();
  };
  return {
    make: (lane) => {
      openCount += 1;
      return {
        begin: (claimed) => {
          begin(claimed);
          settle();
        },
        free: () => {
          free(lane);
          settle();
        },
      };
    },
    settled: () =>
      new Promise((resolve) => {
        if (openCount === 0) resolve();
        else endWait = resolve;
      }),
  };
}
