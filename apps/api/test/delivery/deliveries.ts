import type { Delivery, DeliveryList, RequestModel } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import { BOOTSTRAP_KEY, type TestService } from '../a-service.ts';

/** A request whose complete result is being delivered to `callback_url`. */
export async function aFinishedRequest(service: TestService, callback_url: string, key?: string) {
  const request = await service.answer<RequestModel & { request_id: string }>(
    'POST',
    '/requests/',
    aRequest({ callback_url }),
    key,
  );
  await service.answer('POST', '/verification-output', anOutput(request));
  return request;
}

/** One request per callback address, a few at a time: a busy database rejects a larger burst. */
export async function finishedRequests(service: TestService, callbackUrls: readonly string[]) {
  const requests: Awaited<ReturnType<typeof aFinishedRequest>>[] = [];
  const waiting = callbackUrls.values();
  const worker = async () => {
    for (const url of waiting) requests.push(await aFinishedRequest(service, url));
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return requests;
}

/** The request's latest delivery. */
export async function deliveryOf(
  service: TestService,
  requestId: string,
  key: string = BOOTSTRAP_KEY,
): Promise<Delivery> {
  const { items } = await service.answer<DeliveryList>(
    'GET',
    `/requests/${requestId}/deliveries`,
    undefined,
    key,
  );
  const latest = items.at(-1);
  if (!latest) throw new Error('The request has no delivery.');
  return latest;
}

/** The latest delivery, once it has this status. */
export function deliveryOnce(
  service: TestService,
  requestId: string,
  status: Delivery['status'],
  key?: string,
): Promise<Delivery> {
  return until(`the delivery is ${status}`, async () => {
    const delivery = await deliveryOf(service, requestId, key);
    return delivery.status === status && delivery;
  });
}
