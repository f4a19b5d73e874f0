import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '@insurance-verification/store';

/** Milliseconds between tries to write down what was found out while the database is away. */
export const WRITE_RETRY_MS = 500;

/**
 * Writes what the other side has answered, again and again while the database is away: forgetting an answer because the
 * database blinked would send a receiver a duplicate, and make a payer charge twice.
 * @throws {AbortError} when `signal` aborts between two tries.
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
