import { escapeHidden } from '@insurance-verification/schema';
import { CommandFailedError } from './failure.ts';

/**
 * On failure, adds which operation failed to the error of the database or its connection.
 * @param expected what must hold for the operation to work.
 */
export async function explainDatabaseFailure<T>(
  what: string,
  expected: string,
  work: Promise<T>,
): Promise<T> {
  try {
    return await work;
  } catch (err) {
    if (!(err instanceof Error)) throw err;
    // It says itself what to do.
    if (err.name === 'OtherSchemaError') throw new CommandFailedError(err.message);
    // A host with several addresses fails with several errors and an empty message.
    const reason = err.message || ((err as NodeJS.ErrnoException).code ?? err.name);
    throw new CommandFailedError(`${what} failed: ${escapeHidden(reason)}\nExpected ${expected}.`);
  }
}
