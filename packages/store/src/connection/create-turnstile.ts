/** Runs what it is given, so many at a time; the others wait in line. */
export type Turnstile = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * @param patienceMs for how long one waits in the line; then it is told as of a pool without a free connection. For ever
 * when left out.
 */
export function createTurnstile(atOnceMax: number, patienceMs = Infinity): Turnstile {
  const waiting = new Set<() => void>();
  let free = atOnceMax;
  const waitInLine = () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.add(resolve);
    if (patienceMs === Infinity) return promise;
    const timer = setTimeout(() => {
      waiting.delete(resolve);
      reject(Object.assign(new Error('No turn came.'), { code: 'ETIMEDOUT' }));
    }, patienceMs);
    return promise.finally(() => clearTimeout(timer));
  };
  return async (work) => {
    if (free === 0) await waitInLine();
    else free -= 1;
    try {
      return await work();
    } finally {
      const [next] = waiting; // it takes the place over, so that none can slip in between
      if (next) {
        waiting.delete(next);
        next();
      } else free += 1;
    }
  };
}
