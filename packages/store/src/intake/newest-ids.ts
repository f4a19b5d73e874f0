import { type DeliveryFact, type Outcome, type RequestState, stateOf } from '@insurance-verification/schema';
import { type RawBuilder, sql } from 'kysely';
import type { PageOptions } from '../page.ts';

const outcomes: readonly Outcome[] = ['none', 'complete', 'error_verifying'];
const deliveryFacts: readonly DeliveryFact[] = ['none', 'pending', 'delivered', 'exhausted'];

/**
 * Selects the ids of a page of an account's requests, in one state or in all, plus one more. Derived from `stateOf`, so
 * the list's filter cannot disagree with the view.
 *
 * One index walk per pair of stored facts, merged by newest: each walk reads only its own rows, however many requests
 * other accounts or states have. Also ordered by the account, because the planner might otherwise read everybody's
 * newest by the primary key in the hope of meeting the account's.
 */
export function newestIds(
  accountId: string,
  state: RequestState | undefined,
  { limit, cursor }: PageOptions,
): RawBuilder<string> {
  const older = cursor === undefined ? sql`` : sql`and id < ${cursor}`;
  const walks = outcomes
    .flatMap((outcome) => deliveryFacts.map((delivery) => ({ outcome, delivery })))
    .filter(({ outcome, delivery }) => state === undefined || stateOf(outcome, delivery) === state)
    .map(
      ({ outcome, delivery }) => sql`
        (select id from request where account_id between ${accountId} and ${accountId}
          and outcome = ${sql.lit(outcome)} and delivery = ${sql.lit(delivery)} ${older}
        order by account_id, id desc limit ${limit + 1})`,
    );
  return sql`select id from (${sql.join(walks, sql` union all `)}) as newest order by id desc limit ${limit + 1}`;
}
