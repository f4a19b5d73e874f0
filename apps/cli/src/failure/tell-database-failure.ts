import { visible } from '../terminal/visible.ts';
import { CommandFailedError } from './failure.ts';

/**
 * Says what was being done when the database, or the way to it, failed.
 * @param expected what must be so for it to work.
 */
export async function tellDatabaseFailure<T>(what: string, expected: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (err) {
    if (!(err instanceof Error)) throw err;
    // A host with several addresses fails with several errors and no text of its own.
    const reason = err.message || ((err as NodeJS.ErrnoException).code ?? err.name);
    throw new CommandFailedError(`${what} failed: ${visible(reason)}\nExpected ${expected}.`);
  }
}
