import { type DeliveryFact, type Outcome, type RequestState, stateOf } from '@insurance-verification/schema';
import { type RawBuilder, sql } from 'kysely';

const outcomes: readonly Outcome[] = ['none', 'complete', 'error_verifying'];
const deliveryFacts: readonly DeliveryFact[] = ['none', 'pending', 'delivered', 'exhausted'];

/**
 * The rows that show `state`, as a condition on the two stored facts. Made from `stateOf` itself, so the list's
 * filter cannot disagree with the view.
 */
export function showsState(state: RequestState): RawBuilder<boolean> {
  const pairs = outcomes
    .flatMap((outcome) => deliveryFacts.map((delivery) => ({ outcome, delivery })))
    .filter(({ outcome, delivery }) => stateOf(outcome, delivery) === state)
    .map(({ outcome, delivery }) => sql`(${sql.lit(outcome)}, ${sql.lit(delivery)})`);
  return sql<boolean>`(request.outcome, request.delivery) in (${sql.join(pairs)})`;
}
