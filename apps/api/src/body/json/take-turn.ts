import { setImmediate } from 'node:timers/promises';

/** The turn requested last. One per process, as there is one event loop. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a step that holds the event loop for tens of milliseconds in its own turn. Otherwise sixteen megabytes that
 * arrive together would be read in one turn of half a second, while all other calls wait.
 */
export function takeTurn<T>(step: () => T): Promise<T> {
  const taken = last.then(() => setImmediate()).then(step);
  last = taken.catch(() => undefined); // the caller gets the error
  return taken;
}
