import {
  type FinishedAttempt,
  finishAttempts,
  isDatabaseUnavailable,
  type Store,
} from '@insurance-verification/store';
import { groupCommit } from '../../queue/group-commit.ts';

/** Records one finished attempt; false when its lease was lost and nothing was written. */
export type AttemptWriter = (attempt: FinishedAttempt) => Promise<boolean>;

/** Attempts that end together share a statement and its flush to disk. */
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
      // An attempt that the database refuses must not fail those that share its statement.
      const [isWritten = false] = await writeAll([attempt]);
      return isWritten;
    }
  };
}
