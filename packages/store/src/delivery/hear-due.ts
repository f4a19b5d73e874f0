import type { Store } from '../open-store.ts';

/** Begins the hint that names a host; every other hint is the `Store.hintOrigin` of the process that gave it. */
export const PROBE = 'probe:';

/** Whom to tell. */
export interface DueHandlers {
  /** Some delivery fell due, and another process made it. */
  readonly wake: () => void;
  /** Someone asked to deliver to this host again: it may be back. By `ClaimedDelivery.hostKey`. */
  readonly probe: (hostKey: string) => void;
}

/**
 * Hears the hints `delivery_due`, for `listenForHints`. Those of this process say nothing new: it knows of its own
 * sooner, and would claim twice for each.
 */
export function hearDue({ hintOrigin }: Store, { wake, probe }: DueHandlers): (payload: string) => void {
  return (payload) => {
    if (payload.startsWith(PROBE)) probe(payload.slice(PROBE.length));
    else if (payload !== hintOrigin) wake();
  };
}
