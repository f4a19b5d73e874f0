import type { Store } from '../open-store.ts';

/**
 * Resolves when the database takes a commit, after as long as a commit takes. A probe's answer is reused for a second,
 * by all callers.
 * @throws {DatabaseNotWritableError} when it is a standby, read-only, or does not finish its commits.
 */
export function checkWritable({ commits }: Store): Promise<void> {
  return commits.check();
}
