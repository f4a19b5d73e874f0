import type { Delivery, DeliveryList, RequestModel } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { answerOf } from './ask.ts';

export type StoredRequest = RequestModel & { readonly request_id: string };

/** A request that the service has acknowledged. */
function aStoredRequest(url: string, callbackUrl: string, key?: string): Promise<StoredRequest> {
  return answerOf('POST', `${url}/requests/`, {
    body: aRequest({ callback_url: callbackUrl }),
    ...(key && { key }),
  });
}

/** A request with an acknowledged result, whose delivery is due. */
export async function aFinishedRequest(
  url: string,
  callbackUrl: string,
  key?: string,
): Promise<StoredRequest> {
  const request = await aStoredRequest(url, callbackUrl, key);
  await answerOf('POST', `${url}/verification-output`, { body: anOutput(request) });
  return request;
}

/** The request's latest delivery. */
export async function deliveryOf(url: string, requestId: string, key?: string): Promise<Delivery> {
  const { items } = await answerOf<DeliveryList>('GET', `${url}/requests/${requestId}/deliveries`, {
    ...(key && { key }),
  });
  const latest = items.at(-1);
  if (!latest) throw new Error('The request has no delivery.');
  return latest;
}
