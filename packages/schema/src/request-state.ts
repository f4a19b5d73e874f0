import type * as z from 'zod';
import { enumeration } from './model.ts';

/** A request's progress, as the API shows it. */
export const RequestState = enumeration('RequestState', 'How far a request has come.', [
  'pending',
  'complete',
  'error_verifying',
  'error_sending_webhook',
]);
export type RequestState = z.infer<typeof RequestState>;

/** The verification's outcome: nothing yet, an answer (Inactive is one too), or a failure to verify. */
export type Outcome = 'none' | 'complete' | 'error_verifying';

/** The state of the latest delivery: none was due, attempts remain, the receiver took it, or no attempt is left. */
export type DeliveryFact = 'none' | 'pending' | 'delivered' | 'exhausted';

/*
 * Two facts are stored, one view is shown:
 *
 *   delivery \ outcome     none                     complete                 error_verifying
 *   none                   pending                  complete                 error_verifying
 *   pending                pending                  complete                 error_verifying
 *   delivered              pending                  complete                 error_verifying
 *   exhausted              error_sending_webhook    error_sending_webhook    error_sending_webhook
 *
 * `complete` does not wait for the receiver. A redelivery leaves the delivery exhausted until it succeeds, so the state
 * then goes from error_sending_webhook straight back to the outcome. (A delivery without an outcome cannot happen; its
 * column only makes the function total.)
 */

/** The four-valued state derived from the two stored facts. */
export function stateOf(outcome: Outcome, delivery: DeliveryFact): RequestState {
  if (delivery === 'exhausted') return 'error_sending_webhook';
  return outcome === 'none' ? 'pending' : outcome;
}

/** The stored facts that `error_reason` is chosen from. Both reasons stay stored; only one is shown. */
export interface ErrorReasonFacts {
  readonly outcome: Outcome;
  readonly delivery: DeliveryFact;
  /** Why the outcome is error_verifying; null when it is not, or when no reason was given. */
  readonly outcomeReason: string | null;
  /** Why the delivery is exhausted; null when it is not. */
  readonly deliveryReason: string | null;
}

/**
 * The `error_reason` to show: the delivery's while the state is error_sending_webhook, the outcome's while it is
 * error_verifying, else null.
 */
export function errorReasonOf({
  outcome,
  delivery,
  outcomeReason,
  deliveryReason,
}: ErrorReasonFacts): string | null {
  const state = stateOf(outcome, delivery);
  if (state === 'error_sending_webhook') return deliveryReason;
  return state === 'error_verifying' ? outcomeReason : null;
}
