import type { Store } from '../open-store.ts';

/** The prefix of a payload that names a host; any other payload is the `Store.notifier` of the notifying process. */
export const PROBE = 'probe:';

/** The prefix of a payload that announces a change of shards, followed by the `Store.notifier` of who made it. */
const SHARDS = 'shards:';

/** The receiver of `delivery_due`: this process's delivery worker. */
export interface WokenByDue {
  /** A delivery of another process fell due. */
  readonly wake: () => void;
  /** Someone requested a redelivery to this host, so it may be back. Takes a `ClaimedDelivery.hostKey`. */
  readonly probe: (hostKey: string) => void;
  /** Another worker came, went, or gave shards back. */
  readonly regroup: () => void;
}

/**
 * A handler of `delivery_due` for `listen` that wakes the worker. It ignores this process's own notifications: the
 * worker already knows of these deliveries, and would claim twice for each.
 */
export function wakeWhenDue(
  { notifier }: Store,
  { wake, probe, regroup }: WokenByDue,
): (payload: string) => void {
  return (payload) => {
    if (payload.startsWith(PROBE)) probe(payload.slice(PROBE.length));
    else if (payload === notifier || payload === SHARDS + notifier) return;
    else if (payload.startsWith(SHARDS)) regroup();
    else wake();
  };
}
