import { outbox, setOutbox } from './outbox.ts';

/** Milliseconds for which an outcome is shown. */
const SHOWN_MS = 10_000;

/** Shows the outcome of what was sent or given up, wherever the person has gone. */
export function showOutcome(sentence: string): void {
  setOutbox({ outcome: sentence });
  setTimeout(() => {
    if (outbox().outcome === sentence) setOutbox({ outcome: null });
  }, SHOWN_MS);
}
