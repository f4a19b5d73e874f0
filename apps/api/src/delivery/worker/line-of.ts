import type { ClaimedDelivery } from '@insurance-verification/store';

/** A delivery's fields for a log line: ids alone. */
export function lineOf({ requestId, deliveryId, version }: ClaimedDelivery) {
  return { request_id: requestId, delivery_id: deliveryId, version };
}
