import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '@insurance-verification/store';

/** Milliseconds between attempts to write while the database is away. */
export const WRITE_RETRY_MS = 500;

/**
 * Writes the other side's answer, retrying while the database is away: losing an answer to a short outage would send a
 * receiver a duplicate, and make a payer charge twice.
 * @throws {AbortError} when `signal` aborts between two attempts.
 */
export async function untilWritten<T>(signal: AbortSignal, write: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (err) {
      if (!isDatabaseUnavailable(err)) throw err;
      await sleep(WRITE_RETRY_MS, undefined, { signal });
    }
  }
}
