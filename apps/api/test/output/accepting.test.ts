import type {
  HeldOutputDetail,
  HeldOutputList,
  RequestModel,
  ResponseModel,
} from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { aCoverage, anOutput } from '@insurance-verification/testing/an-output';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { BOOTSTRAP_KEY, type TestService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { transports } from '../transports.ts';
import { held, read, startBothTrusts, submit, verifyKeys } from './both-trusts.ts';

// The table of apps/docs/states.md, "What becomes of an output", row by row, in both trust modes. Each answer is a 200.

let open: TestService;
let keyed: TestService;
beforeAll(async () => void ([open, keyed] = await startBothTrusts()));
afterAll(() => Promise.all([open.stop(), keyed.stop()]));

const heldCount = async (service: TestService) =>
  (await service.answer<HeldOutputList>('GET', '/held-outputs?limit=100')).items.length;

describe.each(transports)('row 1 over $name: under keyed trust', (transport) => {
  test.each([
    ['no key', null],
    ['a wrong key', 'wrong-key-0123456789'],
    ['a key without the scope', 'requests'],
  ])('an output with %s is held untrusted, and its sender learns nothing', async (_, key) => {
    const request = await aStoredRequest(keyed);
    const before = await heldCount(keyed);
    const sent = key === 'requests' ? await aKey(keyed) : key;
    const answer = await transport.call(
      keyed,
      'verificationOutput.submit',
      { ...anOutput(request) },
      { key: sent },
    );
    expect([answer.status, answer.json]).toEqual([200, transport.success({ status: 'received' })]);
    expect(await read(keyed, request)).toEqual(request);
    const { items } = await keyed.answer<HeldOutputList>('GET', '/held-outputs');
    expect(await heldCount(keyed)).toBe(before + 1);
    expect(items[0]).toMatchObject({ reason: 'untrusted', request_id: request.request_id });
  });

  test('untrusted comes before every other row', async () => {
    const request = await aStoredRequest(keyed);
    const unmatched = anOutput({ ...request, request_id: null });
    await transport.call(keyed, 'verificationOutput.submit', { ...unmatched }, { key: null });
    const { items } = await keyed.answer<HeldOutputList>('GET', '/held-outputs');
    expect(items[0]).toMatchObject({ reason: 'untrusted', request_id: null });
  });
});

describe.each(transports)('over $name, under open trust', (transport) => {
  test.each([
    ['no key', null],
    ['a wrong key', 'wrong-key-0123456789'],
  ])('an output with %s is applied, and its sender learns nothing', async (_, key) => {
    const request = await aStoredRequest(open);
    const answer = await transport.call(open, 'verificationOutput.submit', { ...anOutput(request) }, { key });
    expect([answer.status, answer.json]).toEqual([200, transport.success({ status: 'received' })]);
    expect(await read(open, request)).toEqual({ ...request, state: 'complete' });
  });

  test('a verifier’s key learns the disposition', async () => {
    const request = await aStoredRequest(open);
    const key = verifyKeys.get(open) ?? '';
    const answer = await transport.call(open, 'verificationOutput.submit', { ...anOutput(request) }, { key });
    expect([answer.status, answer.json]).toEqual([200, transport.success({ status: 'applied', version: 1 })]);
  });
});

describe.each([
  ['open', () => open],
  ['keyed', () => keyed],
] as const)('with a verifier’s key under %s trust', (_, serviceOf) => {
  test.each([null, 'req_x', 'REQ-1', 'req_01jdabcdefghjkmnpqrstvwxyz', '', '\0'])(
    'row 2: the id %j is held unmatched, whole',
    async (request_id) => {
      const service = serviceOf();
      const output = anOutput(await aStoredRequest(service), { request_id });
      const receipt = await submit(service, output);
      expect(receipt).toEqual(held('unmatched'));
      const detail = await service.answer<HeldOutputDetail>('GET', `/held-outputs/${receipt.held_id}`);
      expect(detail).toEqual({
        held_id: receipt.held_id,
        reason: 'unmatched',
        received_at: expect.any(String),
        request_id: null,
        status: 'held',
        note: null,
        output,
      });
    },
  );

  // Which entries are of another patient: packages/store/src/output/decide-disposition.test.ts.
  test.each<[string, (request: RequestModel) => ResponseModel]>([
    [
      'an output',
      (request) => anOutput(request, { input: aRequest({ payer_info: { name: 'Payer Plan 2' } }) }),
    ],
    [
      'an entry',
      (request) => {
        const father = { subscriber_id: 'W123456789', dob: '1955-01-01', name: 'John Doe' };
        const insurance_data = [aCoverage(request), aCoverage(request, { patient_info: father })];
        return anOutput(request, { insurance_data });
      },
    ],
  ])('row 3: %s about someone else is held input_mismatch, and is never sent', async (_name, change) => {
    const service = serviceOf();
    const request = await aStoredRequest(service);
    expect(await submit(service, change(request))).toEqual(held('input_mismatch'));
    expect(await read(service, request)).toEqual(request);
  });

  test('row 4: pending is progress on an unfinished request, and sends nothing', async () => {
    const service = serviceOf();
    const request = await aStoredRequest(service);
    expect(await submit(service, anOutput(request, { state: 'pending', insurance_data: [] }))).toEqual({
      status: 'progress',
    });
    expect(await submit(service, anOutput(request, { state: 'pending' }))).toEqual({ status: 'progress' });
    expect(await read(service, request)).toEqual(request);
    expect(await service.answer('GET', `/requests/${request.request_id}/deliveries`)).toEqual({ items: [] });
  });

  test('row 4: pending on a finished request is nothing', async () => {
    const service = serviceOf();
    const request = await aStoredRequest(service);
    await submit(service, anOutput(request));
    expect(await submit(service, anOutput(request, { state: 'pending', insurance_data: [] }))).toEqual({
      status: 'unchanged',
    });
    expect(await read(service, request)).toMatchObject({ state: 'complete' });
  });

  test('row 5: the same result again is nothing, also with a null for an absent field', async () => {
    const service = serviceOf();
    const request = await aStoredRequest(service);
    const data = aCoverage(request);
    await submit(service, anOutput(request, { insurance_data: [data] }));
    const again = anOutput(request, { insurance_data: [{ ...data, request_id: null }] });
    expect(await submit(service, again)).toEqual({ status: 'unchanged' });
    const { items } = await service.answer<{ items: unknown[] }>(
      'GET',
      `/requests/${request.request_id}/deliveries`,
    );
    expect(items).toHaveLength(1);
  });

  test.each([
    ['another outcome', (request: RequestModel) => anOutput(request, { state: 'error_verifying' })],
    ['other data', (request: RequestModel) => anOutput(request, { insurance_data: [] })],
  ])('row 6: %s is held superseding, from any sender, and the first result stays', async (_name, change) => {
    const service = serviceOf();
    const request = await aStoredRequest(service);
    await submit(service, anOutput(request));
    expect(await submit(service, change(request))).toEqual(held('superseding'));
    const output = change(request);
    expect(await service.answer('POST', '/verification-output', output, BOOTSTRAP_KEY)).toEqual(
      held('superseding'),
    );
    const result = await service.answer<ResponseModel>('GET', `/requests/${request.request_id}/result`);
    expect(result).toEqual(anOutput(request));
  });

  test('row 7: error_verifying keeps its reason, free text too', async () => {
    const service = serviceOf();
    const request = await aStoredRequest(service);
    const output = anOutput(request, {
      state: 'error_verifying',
      error_reason: 'the portal said no',
      insurance_data: [],
    });
    expect(await submit(service, output)).toEqual({ status: 'applied', version: 1 });
    expect(await read(service, request)).toEqual({
      ...request,
      state: 'error_verifying',
      error_reason: 'the portal said no',
    });
  });

  test.each(['complete', 'error_sending_webhook'] as const)(
    'row 8: %s makes the request complete, without a reason',
    async (state) => {
      const service = serviceOf();
      const request = await aStoredRequest(service);
      const output = anOutput(request, { state, error_reason: 'webhook_exhausted' });
      expect(await submit(service, output)).toEqual({ status: 'applied', version: 1 });
      expect(await read(service, request)).toEqual({ ...request, state: 'complete', error_reason: null });
    },
  );

  test('an Inactive coverage is a complete verification', async () => {
    const service = serviceOf();
    const request = await aStoredRequest(service);
    const coverage = aCoverage(request, { plan_info: { eligibility_status: 'Inactive' } });
    await submit(service, anOutput(request, { insurance_data: [coverage] }));
    expect(await read(service, request)).toMatchObject({ state: 'complete' });
  });
});

describe.each(transports)('verificationOutput.submit over $name', (transport) => {
  test('a body that does not conform is 422, key or not', async () => {
    for (const key of [null, BOOTSTRAP_KEY]) {
      const answer = await transport.call(
        open,
        'verificationOutput.submit',
        { request: { request_id: null } },
        { key },
      );
      expect(answer.status).toBe(422);
      const missing = (...loc: string[]) => ({
        loc: ['body', ...loc],
        msg: 'Field required',
        type: 'missing',
      });
      expect(answer.json).toEqual(
        transport.invalid(
          missing('request', 'input'),
          missing('request', 'received_timestamp'),
          missing('request', 'state'),
          missing('insurance_data'),
        ),
      );
    }
  });
});
