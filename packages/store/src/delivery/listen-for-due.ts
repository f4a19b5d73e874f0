import { type HintListener, listenForHints } from '../listen-for-hints.ts';
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
 * Tells whenever another process made a delivery due. This one knows of its own sooner, and would claim twice for each.
 */
export function listenForDueDeliveries(
  { hintOrigin }: Store,
  directConnectionString: string,
  { wake, probe }: DueHandlers,
): HintListener {
  return listenForHints(directConnectionString, {
    delivery_due: (payload) => {
      if (payload.startsWith(PROBE)) probe(payload.slice(PROBE.length));
      else if (payload !== hintOrigin) wake();
    },
  });
}
