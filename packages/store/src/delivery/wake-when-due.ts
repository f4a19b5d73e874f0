import type { Store } from '../open-store.ts';

/** Begins the payload that names a host; every other is the `Store.notifier` of the process that notified. */
export const PROBE = 'probe:';

/** Whom `delivery_due` wakes: the delivery worker of this process. */
export interface WokenByDue {
  /** Some delivery fell due, and another process made it. */
  readonly wake: () => void;
  /** Someone asked to deliver to this host again: it may be back. By `ClaimedDelivery.hostKey`. */
  readonly probe: (hostKey: string) => void;
}

/**
 * Wakes the worker at `delivery_due`, for `listen`. What this process notified says nothing new to it: it knows of its
 * own sooner, and would claim twice for each.
 */
export function wakeWhenDue({ notifier }: Store, { wake, probe }: WokenByDue): (payload: string) => void {
  return (payload) => {
    if (payload.startsWith(PROBE)) probe(payload.slice(PROBE.length));
    else if (payload !== notifier) wake();
  };
}
