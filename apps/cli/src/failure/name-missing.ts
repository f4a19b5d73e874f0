import { NotFoundError } from '@insurance-verification/client';
import { visible } from '../terminal/visible.ts';
import { CommandFailedError } from './failure.ts';

/**
 * Says which thing is not there: the service's 404 tells nobody what it looked for.
 * @param what the thing and its id.
 * @param how a command that shows what is there.
 */
export async function nameMissing<T>(what: string, how: string, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (err) {
    if (!(err instanceof NotFoundError)) throw err;
    throw new CommandFailedError(
      `Not found (404): there is no ${visible(what)}, or this API key may not see it. What there is: ${how}`,
    );
  }
}
