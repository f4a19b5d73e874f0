/** Runs a limited number of tasks at a time, while the others queue. */
export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * @param patienceMs how long a task waits in the queue before it rejects with the error of an exhausted pool; without
 * it, indefinitely.
 */
export function createSemaphore(atOnceMax: number, patienceMs = Infinity): Semaphore {
  const waiting = new Set<() => void>();
  let free = atOnceMax;
  const waitForTurn = () => {
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
    if (free === 0) await waitForTurn();
    else free -= 1;
    try {
      return await work();
    } finally {
      const [next] = waiting; // its slot passes on directly, so no newcomer can take it
      if (next) {
        waiting.delete(next);
        next();
      } else free += 1;
    }
  };
}
