import { type DeliveryFact, type Outcome, type RequestState, stateOf } from '@insurance-verification/schema';
import { type RawBuilder, sql } from 'kysely';
import type { PageOptions } from '../page.ts';

const outcomes: readonly Outcome[] = ['none', 'complete', 'error_verifying'];
const deliveryFacts: readonly DeliveryFact[] = ['none', 'pending', 'delivered', 'exhausted'];

/**
 * The ids of a page of an account's requests, of one state or of all, and one more. Made from `stateOf` itself, so the
 * list's filter cannot disagree with the view.
 *
 * One walk for each pair of stored facts, and the newest of them all: each reads its own rows of an index alone, however
 * many requests others have, or the account itself in other states. Ordered by the account too, since the planner may
 * else read everybody's newest by the primary key, in the hope that the account's are among them.
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
