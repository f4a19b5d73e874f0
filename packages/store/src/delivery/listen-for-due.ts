import { type HintListener, listenForHints } from '../listen-for-hints.ts';

/** Whom to tell. */
export interface DueHandlers {
  /** Some delivery fell due. */
  readonly wake: () => void;
  /** Someone asked to deliver to this host again: it may be back. By `ClaimedDelivery.hostKey`. */
  readonly probe: (hostKey: string) => void;
}

/** Tells whenever some process made a delivery due. */
export function listenForDueDeliveries(
  directConnectionString: string,
  { wake, probe }: DueHandlers,
): HintListener {
  return listenForHints(directConnectionString, {
    delivery_due: (payload) => (payload === '' ? wake() : probe(payload)),
  });
}
