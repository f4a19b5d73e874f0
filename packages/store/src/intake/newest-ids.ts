import { type Outcome, type RequestState, stateOf } from '@insurance-verification/schema';
import { type RawBuilder, sql } from 'kysely';
import type { PageOptions } from '../page.ts';

interface NewestIdsPage extends PageOptions {
  /** Only ids from this one on. */
  readonly floor?: string | undefined;
}

/** The finished requests of a state, by two columns of an index. */
const finished = (['complete', 'error_verifying'] as const satisfies Outcome[]).flatMap((outcome) =>
  [false, true].map((undelivered) => ({
    outcome,
    undelivered,
    state: stateOf(outcome, undelivered ? 'exhausted' : 'delivered'),
  })),
);

/**
 * Selects the ids of a page of an account's requests, in one state or in all, plus one more. Derived from `stateOf`, so
 * the list's filter cannot disagree with the view.
 *
 * One index walk per group of stored facts, merged by newest: each walk reads only its own rows, however many requests
 * other accounts or states have. Also ordered by the account, because the planner might otherwise read everybody's
 * newest by the primary key in the hope of meeting the account's.
 * @param accountId the account's id, or a column that holds it.
 */
export function newestIds(
  accountId: string | RawBuilder<string>,
  state: RequestState | undefined,
  { limit, cursor, floor }: NewestIdsPage,
): RawBuilder<string> {
  const older = (column: string) => sql`
    ${cursor === undefined ? sql`` : sql`and ${sql.ref(column)} < ${cursor}`}
    ${floor === undefined ? sql`` : sql`and ${sql.ref(column)} >= ${floor}`}`;
  const pending = sql`
    (select request_id as id from work_queue where account_id between ${accountId} and ${accountId}
      ${older('request_id')}
    order by account_id desc, request_id desc limit ${limit + 1})`;
  const walks = finished
    .filter((group) => state === undefined || group.state === state)
    .map(
      ({ outcome, undelivered }) => sql`
        (select id from request where account_id between ${accountId} and ${accountId}
          and outcome = ${sql.lit(outcome)} and undelivered = ${sql.lit(undelivered)} ${older('id')}
        order by account_id, id desc limit ${limit + 1})`,
    );
  if (state === undefined || state === 'pending') walks.push(pending);
  return sql`select id from (${sql.join(walks, sql` union all `)}) as newest order by id desc limit ${limit + 1}`;
}
