import { setImmediate } from 'node:timers/promises';

/** The turn that was asked for last. One for the process, as there is one event loop. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Does a step that holds the event loop for tens of milliseconds in a turn of its own. Sixteen megabytes that arrive
 * together would else be read in one turn of half a second, while everybody else's calls wait.
 */
export function takeTurn<T>(step: () => T): Promise<T> {
  const taken = last.then(() => setImmediate()).then(step);
  last = taken.catch(() => undefined); // who asked for the step hears of it
  return taken;
}
