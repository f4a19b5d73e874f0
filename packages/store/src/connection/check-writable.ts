import type { Store } from '../open-store.ts';

/**
 * Resolves when the database takes a commit, in the time of one. A probe's answer is good for a second, for all who ask.
 * @throws {DatabaseNotWritableError} when it is a standby, read-only, or does not end its commits.
 */
export function checkWritable({ commits }: Store): Promise<void> {
  return commits.check();
}
