import type { ListDeliveries } from '@insurance-verification/schema';

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
