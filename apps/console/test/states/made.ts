import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import { aBatch } from '../ground/a-batch.ts';
import { aHeldOutput } from '../ground/a-held-output.ts';
import type { TestService } from '../ground/a-service.ts';

/** What the pages have to show. */
export interface Made {
  readonly waitingId: string;
  /** Its delivery was given up, and a second output is held. */
  readonly requestId: string;
  readonly deliveryId: string;
  readonly heldId: string;
  /** The receiver of that delivery. */
  readonly host: string;
  /** One of its two rows is rejected. */
  readonly batchId: string;
  /** It took nothing yet. */
  readonly endpointId: string;
}

export const NOTHING: Made = {
  waitingId: '',
  requestId: '',
  deliveryId: '',
  heldId: '',
  host: '',
  batchId: '',
  endpointId: '',
};

/** Counting pauses for a hundred times as long as it took: on a busy machine that is a minute. */
export const COUNTED_MS = 100_000;

/** One of everything: a finished request whose delivery was given up, one that waits, an output that is held, and who works here. */
export async function makeSome(service: TestService): Promise<Made> {
  const { client } = service;
  const { request_id: waitingId } = await service.aRequest();
  const request = await service.aRequest({ cpt_code_coverage: ['D0120'] });
  const { request_id: requestId } = request;
  await client.verificationOutput.submit(anOutput(request));
  const heldId = await aHeldOutput(service, request);
  await client.knownAnswers.create({
    request: aRequest({ payer_info: { name: request.input.payer_info.name } }),
    answer: { eligibility_status: 'Active', plan_name: 'GOLD PPO' },
  });
  const batchId = await aBatch(service, 'Visits of November 21', [
    { ...aRequest({ payer_info: { name: request.input.payer_info.name } }), reference: 'visit-1' },
    { reference: 'visit-2' },
  ]);
  const { endpoint_id: endpointId } = await client.endpoints.create({
    url: 'http://127.0.0.1:9/events',
    types: ['request.answered'],
  });
  await client.endpoints.test({ endpoint_id: endpointId });
  const { account_id } = await client.accounts.create({ name: 'Main Street Dental' });
  await client.keys.create({ account_id, scopes: ['requests'], name: 'Intake' });
  await client.staff.add({
    name: 'Ada Jones',
    roles: ['viewer', 'requester', 'verifier', 'operator', 'admin', 'auditor', 'privacy'],
  });
  await client.requests.erase({ request_id: waitingId, reason: 'wrong_patient' });
  await client.holds.place({ request_id: requestId, reason: 'Doe v. Clinic' });
  await until('its delivery is given up', async () => {
    const { state } = await client.requests.get({ request_id: requestId });
    return state === 'error_sending_webhook';
  });
  await until('the audit is sealed', async () => (await client.audit.seals({})).items.length > 0);
  const host = await until(
    'its receiver is counted',
    async () => (await client.receivers.list()).items[0]?.host,
    COUNTED_MS,
  );
  const [delivery] = (await client.requests.deliveries({ request_id: requestId })).items;
  return { waitingId, requestId, deliveryId: delivery?.delivery_id ?? '', heldId, host, batchId, endpointId };
}
