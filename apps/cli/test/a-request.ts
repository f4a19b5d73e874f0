import { DEFAULT_PAYERS, type RequestInfo, type RequestModel } from '@insurance-verification/schema';
import { until } from '@insurance-verification/testing/until';
import { sampleOutput, sampleRequest } from '../src/demo/sample-request.ts';
import type { TestService } from './a-service.ts';

type StoredRequest = RequestModel & { request_id: string };

/** A stored request whose callback address has no listener. */
export async function aStoredRequest(
  { client }: TestService,
  changes: Partial<RequestInfo> = {},
): Promise<StoredRequest> {
  const input = { ...sampleRequest(DEFAULT_PAYERS[0], 'http://127.0.0.1:9/verified'), ...changes };
  return (await client.requests.create(input)) as StoredRequest;
}

/** A request whose only delivery attempt has failed: the service must be configured with a schedule of one attempt. */
export async function aFailedDelivery(service: TestService): Promise<StoredRequest> {
  const request = await aStoredRequest(service);
  const { request_id } = request;
  await service.client.verificationOutput.submit(sampleOutput(request));
  await until('the delivery was exhausted', async () => {
    const { state } = await service.client.requests.get({ request_id });
    return state === 'error_sending_webhook';
  });
  return request;
}

/** An output for an unknown request, and therefore held; its member id makes it unique. */
export async function aHeldOutput(service: TestService, memberId: string): Promise<string> {
  const request = await aStoredRequest(service);
  const output = sampleOutput(request);
  output.request.input.patient_info.subscriber_id = memberId;
  const { held_id } = await service.client.verificationOutput.submit(output);
  if (held_id === undefined) throw new Error('Expected an output about another member to be held.');
  return held_id;
}
