import type { RequestInfo } from '@insurance-verification/schema';
import { anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import type { TestService } from './a-service.ts';

/** A request whose result nobody takes, of a service that tries once: the port answers no one. */
export async function aGivenUp(service: TestService, changes?: Partial<RequestInfo>): Promise<string> {
  const request = await service.aRequest(changes);
  await service.client.verificationOutput.submit(anOutput(request));
  await until('its delivery is given up', async () => {
    const { state } = await service.client.requests.get({ request_id: request.request_id });
    return state === 'error_sending_webhook';
  });
  return request.request_id;
}
