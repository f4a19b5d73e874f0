import {
  type FinishedAttempt,
  finishAttempts,
  isDatabaseUnavailable,
  type Store,
} from '@insurance-verification/store';
import { groupCommit } from '../queue/group-commit.ts';

/** Writes one finished attempt down; false when its lease was lost, and nothing was written. */
export type AttemptWriter = (attempt: FinishedAttempt) => Promise<boolean>;

/** Attempts that end together share a statement, and its flush to disk. */
export function createAttemptWriter(store: Store): AttemptWriter {
  const writeAll = async (attempts: readonly FinishedAttempt[]) => {
    const written = await finishAttempts(store, attempts);
    return attempts.map(({ lease }) => written.has(lease.deliveryId));
  };
  const writeTogether = groupCommit({ commit: writeAll, failsAll: isDatabaseUnavailable });
  return async (attempt) => {
    try {
      return await writeTogether(attempt);
    } catch (err) {
      if (isDatabaseUnavailable(err)) throw err;
      // One attempt that the database refuses must not take those that share its statement with it.
      const [isWritten = false] = await writeAll([attempt]);
      return isWritten;
    }
  };
}
