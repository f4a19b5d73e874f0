import { NotFoundError } from '@insurance-verification/client';
import { escapeHidden } from '@insurance-verification/schema';
import { CommandFailedError } from './failure.ts';

/**
 * Names the missing thing: the service's 404 does not say what it looked for.
 * @param what the thing and its id.
 * @param how a command that lists what exists.
 */
export async function nameMissing<T>(what: string, how: string, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (err) {
    if (!(err instanceof NotFoundError) || err.problemCode !== 'not_found') throw err;
    throw new CommandFailedError(
      `Not found (404): there is no ${escapeHidden(what)}, or this API key may not see it. What there is: ${how}`,
    );
  }
}
