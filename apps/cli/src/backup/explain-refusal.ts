import { escapeHidden } from '@insurance-verification/schema';
import { CommandFailedError } from '../failure/failure.ts';

/** On failure, adds which operation failed and keeps the cause's message, which names the remedy. */
export async function explainRefusal<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (err) {
    if (err instanceof Error) throw new CommandFailedError(`${what} failed: ${escapeHidden(err.message)}`);
    throw err;
  }
}
