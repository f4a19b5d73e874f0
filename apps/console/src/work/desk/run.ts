import { useSyncExternalStore } from 'react';

export const MANUAL_CHANNELS = ['manual_web_portal', 'manual_phone_call'] as const;

/** From what a person takes one request after the other: a payer's, a channel's, or whatever comes next. */
export interface Run {
  readonly payer?: string | undefined;
  readonly channel?: (typeof MANUAL_CHANNELS)[number] | undefined;
}

let run: Run = {};
let isOver = false;
const listeners = new Set<() => void>();

/** Begins a run, from its first request to the one that it has no more of. */
export function beginRun(next: Run): Run {
  return change(next, false);
}

/** The run that a submitted result goes on with. */
export const currentRun = (): Run => run;

/** Notes that nothing waits for the run any more. */
export const endRun = (): void => void change(run, true);

/** The run that has ended with nothing left; null while one goes on. */
export const useEndedRun = (): Run | null => (useSyncExternalStore(subscribe, () => isOver) ? run : null);

function change(next: Run, over: boolean): Run {
  run = next;
  isOver = over;
  for (const listener of listeners) listener();
  return run;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
