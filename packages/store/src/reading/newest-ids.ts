import { type Outcome, type RequestState, stateOf } from '@insurance-verification/schema';
import { type RawBuilder, sql } from 'kysely';
import type { PageOptions } from '../page.ts';
import { newestRequestsFunction } from './newest-requests.sql.ts';

interface NewestIdsPage extends PageOptions {
  /** Only ids from this one on. */
  readonly floor?: string | undefined;
}

/** The groups of finished requests, by two columns of an index. */
export const FINISHED = (['complete', 'error_verifying'] as const satisfies Outcome[]).flatMap((outcome) =>
  [false, true].map((undelivered) => ({ outcome, undelivered })),
);

/** Above every id. */
export const ABOVE = 'req_~';

const newestRequests = sql.raw(newestRequestsFunction.name);

/**
 * An array of the ids of a page of an account's requests, in one state or in all, plus one more; the newest first. Derived
 * from `stateOf`, so the list's filter cannot disagree with the view.
 * @param accountId the account's id, or a column that holds it.
 */
export function newestIds(
  accountId: string | RawBuilder<string>,
  state: RequestState | undefined,
  { limit, cursor = ABOVE, floor = '' }: NewestIdsPage,
): RawBuilder<string[]> {
  const groups = FINISHED.filter(
    ({ outcome, undelivered }) =>
      state === undefined || stateOf(outcome, undelivered ? 'exhausted' : 'delivered') === state,
  );
  const withPending = state === undefined || state === 'pending';
  return sql<string[]>`${newestRequests}(${accountId}, ${groups.map(({ outcome }) => outcome)},
    ${groups.map(({ undelivered }) => undelivered)}::boolean[], ${withPending}, ${floor}, ${cursor}, ${limit + 1})`;
}
