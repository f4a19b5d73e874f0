import type {
  DeliveryList,
  OutputReceipt,
  RequestList,
  RequestSummaryList,
  RequestView,
} from '@insurance-verification/schema';
import type { OperationName } from '@insurance-verification/schema/contract';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import { beforeAll, describe, expect, test } from 'vitest';
import { useService } from '../a-service.ts';
import type { aStoredRequest } from '../a-stored-request.ts';
import { PROMISED } from '../promised.ts';
import { rows } from '../rows.ts';
import { transports, operationNames } from '../transports.ts';

const service = useService({ env: { WEBHOOK_RETRY_SCHEDULE: '0s' } });
let requestId: string;
let heldId: string;
let output: ReturnType<typeof anOutput>;
const IDEMPOTENCY_KEY = 'visit-1181';
beforeAll(async () => {
  const headers = { 'idempotency-key': IDEMPOTENCY_KEY };
  const created = await service.ask('POST', '/requests/', { body: aRequest(), headers });
  const request = created.json as Awaited<ReturnType<typeof aStoredRequest>>;
  requestId = request.request_id;
  await service.answer('POST', '/verification-output', anOutput(request));
  await until('its delivery is given up', async () => {
    const { state } = await service.answer<{ state: string }>('GET', `/requests/${requestId}`);
    return state === 'error_sending_webhook';
  });
  // What an erasure leaves; its own tests are the store's.
  await rows(
    service.databaseUrl,
    `with erased as (update request set input = '', member_index = 0, erased_at = now() where id = $1),
       emptied as (update result set body = '', digest = '' where request_id = $1)
     update delivery set destination = '' where request_id = $1`,
    [requestId],
  );
  output = anOutput(request);
  const stray = anOutput({ ...request, request_id: null });
  ({ held_id: heldId = '' } = await service.answer<OutputReceipt>('POST', '/verification-output', stray));
});

/** Every operation that reads or writes the data of one request, or of one that it names; these have their own tests. */
const ASKING = operationNames.filter(
  (operation) =>
    !['requests.create', 'erasures.confirm'].includes(operation) && PROMISED[operation].also.includes(410),
);

const LEASE_TOKEN = '6f1c1f0e-53a7-4a52-9d7e-2f8f3b1c9a44';

/** What an operation takes besides the request. */
const WITH: Partial<Record<OperationName, () => Readonly<Record<string, unknown>>>> = {
  'requests.close': () => ({ reason: 'withdrawn' }),
  'requests.erase': () => ({ reason: 'wrong_patient' }),
  'holds.place': () => ({ reason: 'a matter' }),
  'heldOutputs.apply': () => ({ held_id: heldId }),
  'heldOutputs.compare': () => ({ held_id: heldId }),
  'work.claimRequest': () => ({ channels: ['manual_phone_call'] }),
  'work.heartbeat': () => ({ lease_token: LEASE_TOKEN }),
  'work.startCall': () => ({ lease_token: LEASE_TOKEN }),
  'work.endCall': () => ({ lease_token: LEASE_TOKEN }),
  'work.release': () => ({ lease_token: LEASE_TOKEN }),
  'work.fail': () => ({ lease_token: LEASE_TOKEN, error_reason: 'member_not_found' }),
  'work.submit': () => ({ lease_token: LEASE_TOKEN, insurance_data: [] }),
  'work.callBack': () => ({ lease_token: LEASE_TOKEN, at: new Date(Date.now() + 60_000).toISOString() }),
  'work.correct': () => ({ insurance_data: [], reason: 'A digit was wrong.' }),
  'drafts.save': () => ({ content: 'typed', revision: null }),
  'drafts.discard': () => ({ revision: null }),
};

describe.each(transports)('over $name', (transport) => {
  test.each(ASKING)('%s says that the data was erased', async (operation) => {
    const input = { ...WITH[operation]?.(), request_id: requestId };
    const answer = await transport.call(service, operation, input);
    expect([answer.status, answer.json]).toEqual([410, transport.problem('request_erased')]);
  });

  // Without it a client that repeats an old post would make the request a second time.
  test('a repeat of its post is refused while the key is remembered', async () => {
    const headers = { 'idempotency-key': IDEMPOTENCY_KEY };
    const answer = await transport.call(service, 'requests.create', { ...aRequest() }, { headers });
    expect([answer.status, answer.json]).toEqual([410, transport.problem('request_erased')]);
  });

  test('lists, its page and its deliveries show it without its data', async () => {
    const list = transport.output<RequestList>(await transport.call(service, 'requests.list', { limit: 10 }));
    expect(list).toMatchObject({
      items: [],
      erased: [{ request_id: requestId, state: 'error_sending_webhook', erased_at: expect.any(String) }],
    });
    const found = transport.output<RequestSummaryList>(
      await transport.call(service, 'requests.search', { request_id: requestId }),
    );
    expect(found.items).toMatchObject([{ request_id: requestId, erased_at: expect.any(String) }]);
    const view = transport.output<RequestView>(
      await transport.call(service, 'requests.view', { request_id: requestId }),
    );
    expect(view).toMatchObject({ erased_at: expect.any(String), provider_info: null, revealed: null });
    const { items } = transport.output<DeliveryList>(
      await transport.call(service, 'requests.deliveries', { request_id: requestId }),
    );
    expect(items).toMatchObject([{ status: 'exhausted', attempts: [{ response_snippet: null }] }]);
    const delivery_id = items[0]?.delivery_id;
    const delivery = await transport.call(service, 'deliveries.get', { delivery_id });
    expect(transport.output(delivery)).toMatchObject({ host: null, status: 'exhausted' });
  });
});

test('an output that names it is taken and not stored; the answer to a verifier’s key says why', async () => {
  const count = async () => (await rows(service.databaseUrl, 'select from held_output')).length;
  const before = await count();
  expect(await service.answer('POST', '/verification-output', output)).toEqual({ status: 'erased' });
  const stranger = await service.ask('POST', '/verification-output', { body: output, key: null });
  expect([stranger.status, stranger.json]).toEqual([200, { status: 'received' }]);
  expect(await count()).toBe(before);
});
