import { CommandFailedError } from '../failure/failure.ts';
import { visible } from '../terminal/visible.ts';

/** Says what was being done when it failed, in the words of what refused it: they name the way out. */
export async function tellRefusal<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (err) {
    if (err instanceof Error) throw new CommandFailedError(`${what} failed: ${visible(err.message)}`);
    throw err;
  }
}
