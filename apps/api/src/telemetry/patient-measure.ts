import { isDatabaseUnavailable } from '@insurance-verification/store';

/** Milliseconds until a failed measure is tried again, doubled with each failure. */
const RETRY_MS = { min: 1_000, max: 60_000 };

/**
 * A measure of the database for metrics. Null while the database is away: the process's own metrics matter most then, so
 * they come without the database's. After a failure it is null for a while without asking, longer each time: scrapes
 * must not wait for a database in trouble, nor add to it.
 */
export function patientMeasure<Measure>(measure: () => Promise<Measure>): () => Promise<Measure | null> {
  let failureCount = 0;
  let retryAt = -Infinity;
  return async () => {
    if (performance.now() < retryAt) return null;
    try {
      const measured = await measure();
      failureCount = 0;
      return measured;
    } catch (err) {
      retryAt = performance.now() + Math.min(RETRY_MS.min * 2 ** failureCount, RETRY_MS.max);
      failureCount += 1;
      if (!isDatabaseUnavailable(err)) throw err;
      return null;
    }
  };
}
