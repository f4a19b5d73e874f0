import {
  insertRequests,
  isDatabaseUnavailable,
  type NewRequest,
  type Store,
} from '@insurance-verification/store';
import type { RequestInserter } from '../procedure/context/app.ts';
import { groupCommit } from '../queue/group-commit.ts';

/**
 * Requests that arrive together share a statement. While the database is away, queued ones would wait in vain as long:
 * all fail at once, within 2 seconds.
 */
export function createRequestInserter(store: Store): RequestInserter {
  return groupCommit({
    commit: (requests: readonly NewRequest[]) => insertRequests(store, requests),
    failsAll: isDatabaseUnavailable,
  });
}
