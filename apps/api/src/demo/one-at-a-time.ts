let last: Promise<unknown> = Promise.resolve();

/**
 * Runs what plays or deletes the demo day after all that was asked for before: a second day would delete the accounts of
 * one that is still being made. A demo is played only by the one process of a laptop.
 */
export function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work, work);
  last = mine.catch(() => undefined);
  return mine;
}
