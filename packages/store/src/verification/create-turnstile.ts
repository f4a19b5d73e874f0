/** Runs what it is given, so many at a time; the others wait in line. */
export type Turnstile = <T>(work: () => Promise<T>) => Promise<T>;

export function createTurnstile(atOnceMax: number): Turnstile {
  const waiting: (() => void)[] = [];
  let free = atOnceMax;
  return async (work) => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift(); // it takes the place over, so that none can slip in between
      if (next) next();
      else free += 1;
    }
  };
}
