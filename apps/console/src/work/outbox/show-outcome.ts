import { outbox, setOutbox } from './outbox.ts';

/** Milliseconds for which an outcome is shown. */
const SHOWN_MS = 10_000;

/** Shows the outcome of what was sent or given up, wherever the person has gone. */
export function showOutcome(sentence: string): void {
  setOutbox({ told: sentence });
  setTimeout(() => {
    if (outbox().told === sentence) setOutbox({ told: null });
  }, SHOWN_MS);
}
