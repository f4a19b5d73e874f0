import { type RequestState, stateOf } from '@insurance-verification/schema';
import { type RawBuilder, sql } from 'kysely';
import { FINISHED } from '../intake/read-request.ts';
import type { IdSpan, PageOptions } from '../page.ts';
import { newestRequestsFunction } from './newest-requests.sql.ts';
import { oldestRequestsFunction } from './oldest-requests.sql.ts';

/** Above every id. */
export const ABOVE = 'req_~';

const newestRequests = sql.raw(newestRequestsFunction.name);
const oldestRequests = sql.raw(oldestRequestsFunction.name);

/**
 * An array of the ids of a page of an account's requests, in one state or in all, plus one more; the newest first, or the oldest. Derived
 * from `stateOf`, so the list's filter cannot disagree with the view.
 * @param accountId the account's id, or a column that holds it.
 */
export function pageOfIds(
  accountId: string | RawBuilder<string>,
  state: RequestState | undefined,
  { limit, order }: Pick<PageOptions, 'limit' | 'order'>,
  { floor = '', end = ABOVE }: IdSpan,
): RawBuilder<string[]> {
  const groups = FINISHED.filter(
    ({ outcome, undelivered }) =>
      state === undefined || stateOf(outcome, undelivered ? 'exhausted' : 'delivered') === state,
  );
  const withPending = state === undefined || state === 'pending';
  return sql<
    string[]
  >`${order === 'oldest' ? oldestRequests : newestRequests}(${accountId}, ${groups.map(({ outcome }) => outcome)},
    ${groups.map(({ undelivered }) => undelivered)}::boolean[], ${withPending}, ${floor}, ${end}, ${limit + 1})`;
}
