import { useCallback, useSyncExternalStore } from 'react';

/**
 * A result that has left its form and is not accepted yet, or the report that a request could not be verified.
 *
 * | state    | what it waits for                                       | next                                   |
 * | -------- | ------------------------------------------------------- | -------------------------------------- |
 * | undoable | the end of the five seconds                             | sending, or back into the form by Undo |
 * | sending  | the service's first answer                              | accepted and gone, or any below        |
 * | waiting  | a service that answers: it is sent again, with back-off | accepted and gone, refused or lost     |
 * | refused  | the person, who mends it                                | opened, or dismissed                   |
 * | lost     | the person: the lease ended before it was accepted      | opened, or dismissed                   |
 */
export interface UnsentResult {
  readonly requestId: string;
  /** `failure`: that it could not be verified. */
  readonly kind: 'result' | 'failure';
  /** `J. D. at Payer Plan 1`. */
  readonly name: string;
  readonly state: 'undoable' | 'sending' | 'waiting' | 'refused' | 'lost';
  /** When the five seconds are over, by this computer's clock in milliseconds. */
  readonly sendsAt: number;
  /** Why it was refused or lost; null otherwise. */
  readonly sentence: string | null;
}

interface Outbox {
  readonly results: readonly UnsentResult[];
  /** The outcome of what was sent or given up last, for a person who has left its page; null without one. */
  readonly outcome: string | null;
  /** The element of the page that has a place for the outbox; null: it is below the page. */
  readonly place: HTMLElement | null;
}

let state: Outbox = { results: [], outcome: null, place: null };
const listeners = new Set<() => void>();

/**
 * The results of this tab that are not accepted yet, outside of the pages: each page shows them. The frame of the pages
 * loads this file at once; what sends the results comes with the pages of work.
 */
export const outbox = (): Outbox => state;

export function setOutbox(changes: Partial<Outbox>): void {
  state = { ...state, ...changes };
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const useOutbox = (): Outbox => useSyncExternalStore(subscribe, outbox, outbox);

export const unsentOf = (requestId: string): UnsentResult | undefined =>
  state.results.find((result) => result.requestId === requestId);

/** Milliseconds for which an outcome is shown. */
const SHOWN_MS = 10_000;

/** Shows the outcome of what was sent or given up, wherever the person has gone. */
export function showOutcome(sentence: string): void {
  setOutbox({ outcome: sentence });
  setTimeout(() => {
    if (state.outcome === sentence) setOutbox({ outcome: null });
  }, SHOWN_MS);
}

/** The place of the outbox on a page; on a page without one it is below the page. */
export function Outgoing({ className }: { readonly className: string | undefined }) {
  const place = useCallback((element: HTMLElement | null) => setOutbox({ place: element }), []);
  return <div ref={place} className={className} />;
}
