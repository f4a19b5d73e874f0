import type { ClaimedDelivery } from '@insurance-verification/store';

/** What a log line says of a delivery: ids alone. */
export function lineOf({ requestId, deliveryId, version }: ClaimedDelivery) {
  return { request_id: requestId, delivery_id: deliveryId, version };
}
