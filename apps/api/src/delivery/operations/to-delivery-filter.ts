import type { ListDeliveries } from '@insurance-verification/schema';
import { ValidationFailedError } from '../../procedure/problem/problem.ts';

/** What a list and a redelivery of all that match select by, as the store takes it. */
export const toDeliveryFilter = (
  input: Omit<ListDeliveries, 'limit' | 'cursor' | 'order' | 'status' | 'since'>,
) => ({
  accountId: input.account_id,
  requestId: input.request_id,
  host: input.host,
  outcome: input.outcome,
  statusCode: input.status_code,
  reason: input.reason,
  attemptsMin: input.attempts_min,
  until: input.until === undefined ? undefined : new Date(input.until),
});

interface Counted<Answer> {
  readonly kind: 'counted' | 'redelivered';
  readonly answer: Answer;
}

/**
 * Counts what a redelivery of many would send again, or with the token of such a count has it done: a filter that
 * selects more than was meant is seen first.
 * @param redeliver takes the token; null for a dry run.
 * @throws {ValidationFailedError} without a token, and for one of another count.
 */
export async function countedFirst<Answer>(
  { dry_run: isDryRun, token }: { readonly dry_run: boolean; readonly token?: string | undefined },
  redeliver: (token: string | null) => Promise<Counted<Answer> | { readonly kind: 'other_token' }>,
): Promise<Answer> {
  if (!isDryRun && token === undefined)
    throw tokenFault('missing', 'Field required: the token of a dry run with the same filters');
  const done = await redeliver(isDryRun ? null : (token ?? ''));
  if (done.kind === 'other_token')
    throw tokenFault('value_error', 'Value should be the token of a dry run with the same filters');
  return done.answer;
}

const tokenFault = (type: string, msg: string) =>
  new ValidationFailedError([{ loc: ['body', 'token'], msg, type }]);
