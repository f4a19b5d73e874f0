import type {
  DeliveryList,
  HeldOutputDetail,
  HeldOutputList,
  OutputReceipt,
  RequestModel,
} from '@insurance-verification/schema';
import type { OperationName } from '@insurance-verification/schema/contract';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { aCoverage, anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import { describe, expect, test } from 'vitest';
import { aService, useService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { rows } from '../rows.ts';
import { transports } from '../transports.ts';
import { verified } from '../verified.ts';

const service = useService();

const submit = (body: unknown, on = service) =>
  on.answer<OutputReceipt>('POST', '/verification-output', body);
const unmatched = async (changes: Parameters<typeof anOutput>[1] = {}) => {
  const request = await aStoredRequest(service);
  const { held_id = '' } = await submit(anOutput(request, { request_id: null, ...changes }));
  return { request, held_id };
};

describe.each(transports)('over $name', (transport) => {
  test.each(['heldOutputs.get', 'heldOutputs.apply', 'heldOutputs.dismiss'] as OperationName[])(
    '%s: unknown and malformed ids are 404',
    async (operation) => {
      for (const held_id of [
        'held_01jdabcdefghjkmnpqrstvwxyz',
        'held_x',
        'req_01jdabcdefghjkmnpqrstvwxyz',
        '\0',
      ]) {
        const answer = await transport.call(service, operation, { held_id });
        expect([answer.status, answer.json]).toEqual([404, transport.problem('not_found')]);
      }
    },
  );

  test('apply takes it to a named request', async () => {
    const { request, held_id } = await unmatched();
    const answer = await transport.call(service, 'heldOutputs.apply', {
      held_id,
      request_id: request.request_id,
    });
    expect([answer.status, answer.json]).toEqual([200, transport.success({ status: 'applied', version: 1 })]);
    expect(await service.answer('GET', `/requests/${request.request_id}`)).toEqual({
      ...request,
      state: 'complete',
    });
    expect(await service.answer('GET', `/held-outputs/${held_id}`)).toMatchObject({ status: 'applied' });
  });

  test('apply without a request that it could go to is 422 at the request id', async () => {
    const { held_id } = await unmatched();
    const answer = await transport.call(service, 'heldOutputs.apply', { held_id });
    expect([answer.status, answer.json]).toEqual([
      422,
      transport.invalid({ loc: ['body', 'request_id'], msg: 'Field required', type: 'missing' }),
    ]);
  });

  test('apply to a request that does not exist is refused at the request, and it stays held', async () => {
    const { held_id } = await unmatched();
    const answer = await transport.call(service, 'heldOutputs.apply', {
      held_id,
      request_id: 'req_01jdabcdefghjkmnpqrstvwxyz',
    });
    const fault = {
      loc: ['body', 'request_id'],
      msg: 'There is no request with this id',
      type: 'request_not_found',
    };
    expect([answer.status, answer.json]).toEqual([422, transport.invalid(fault)]);
    expect(await service.answer('GET', `/held-outputs/${held_id}`)).toMatchObject({ status: 'held' });
  });

  test('progress cannot be applied', async () => {
    const { request, held_id } = await unmatched({ state: 'pending' });
    const answer = await transport.call(service, 'heldOutputs.apply', {
      held_id,
      request_id: request.request_id,
    });
    expect([answer.status, answer.json]).toEqual([409, transport.problem('held_output_not_applicable')]);
  });

  test('dismiss ends it, with a note that is kept exactly', async () => {
    const { held_id } = await unmatched();
    const note = 'called them \0 \ud800 👩🏽‍⚕️';
    const answer = await transport.call(service, 'heldOutputs.dismiss', { held_id, note });
    expect([answer.status, answer.json]).toEqual([200, transport.success({ status: 'dismissed' })]);
    const read = await transport.call(service, 'heldOutputs.get', { held_id });
    expect(transport.output<HeldOutputDetail>(read)).toMatchObject({ status: 'dismissed', note });
    const { items } = await service.answer<HeldOutputList>('GET', '/held-outputs?limit=100');
    expect(items.map((item) => item.held_id)).not.toContain(held_id);
  });

  test.each(['heldOutputs.apply', 'heldOutputs.dismiss'] as OperationName[])(
    '%s of a settled one is 409',
    async (operation) => {
      for (const settle of ['apply', 'dismiss']) {
        const { request, held_id } = await unmatched();
        const body = settle === 'apply' ? { request_id: request.request_id } : undefined;
        await service.answer('POST', `/held-outputs/${held_id}/${settle}`, body);
        const answer = await transport.call(service, operation, { held_id });
        expect([answer.status, answer.json]).toEqual([409, transport.problem('held_output_settled')]);
      }
    },
  );

  test('a note that is no text is 422', async () => {
    const { held_id } = await unmatched();
    const answer = await transport.call(service, 'heldOutputs.dismiss', { held_id, note: 5 });
    expect([answer.status, answer.json]).toEqual([
      422,
      transport.invalid({
        loc: ['body', 'note'],
        msg: 'Input should be a valid string',
        type: 'string_type',
      }),
    ]);
  });
});

// The operation is open: one output sent a thousand times must not use up the capacity.
test('the same output is held once', async () => {
  const request = await aStoredRequest(service);
  const output = anOutput(request, { request_id: 'elsewhere' });
  const receipts = await Promise.all(Array.from({ length: 10 }, () => submit(output)));
  expect(new Set(receipts.map(({ held_id }) => held_id)).size).toBe(1);
});

test('of two operators at once one applies it, the other learns that it is settled', async () => {
  const { request, held_id } = await unmatched();
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() =>
      service.ask('POST', `/held-outputs/${held_id}/apply`, { body: { request_id: request.request_id } }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
});

test('a correction is version 2: a new message with its own id, and the first is never sent again', async () => {
  const receiver = await aReceiver({ status: 500 });
  const corrected = await aService({ env: { WEBHOOK_RETRY_SCHEDULE: '0s,1s,1s,1s,1s,1s' } });
  const request = await aStoredRequest(corrected, { callback_url: receiver.url });
  await submit(anOutput(request), corrected);
  const [first] = await receiver.first();

  const insurance_data = [aCoverage(request, { plan_info: { eligibility_status: 'Inactive' } })];
  const { held_id, reason } = await submit(anOutput(request, { insurance_data }), corrected);
  expect(reason).toBe('superseding');
  const deliveries = () =>
    corrected.answer<DeliveryList>('GET', `/requests/${request.request_id}/deliveries`);
  expect(await corrected.answer('POST', `/held-outputs/${held_id}/apply`)).toEqual({
    status: 'applied',
    version: 2,
  });
  const sentOfFirst = (await deliveries()).items[0]?.attempts.length ?? 0;
  receiver.behave({ status: 204 });

  const { items } = await until('version 2 is delivered', async () => {
    const list = await deliveries();
    return list.items[1]?.status === 'delivered' && list;
  });
  expect(items.map(({ version, status, next_attempt_at }) => ({ version, status, next_attempt_at }))).toEqual(
    [
      { version: 1, status: 'superseded', next_attempt_at: null },
      { version: 2, status: 'delivered', next_attempt_at: null },
    ],
  );
  const second = receiver.received.at(-1) ?? expect.fail();
  expect(first?.headers['verification-version']).toBe('1');
  expect(second.headers['verification-version']).toBe('2');
  expect(second.headers['webhook-id']).toBe(items[1]?.delivery_id);
  expect(second.headers['webhook-id']).not.toBe(first?.headers['webhook-id']);
  expect(verified(second)).toEqual({ request: { ...request, state: 'complete' }, insurance_data });
  const result = await corrected.answer('GET', `/requests/${request.request_id}/result`);
  expect(result).toEqual({
    request: { ...request, state: 'complete' } satisfies RequestModel,
    insurance_data,
  });
  // An attempt in flight when the correction came may have arrived; none began after it.
  expect(items[0]?.attempts.length).toBe(sentOfFirst);
  expect(
    receiver.received.filter(({ headers }) => headers['verification-version'] === '1').length,
  ).toBeLessThanOrEqual(sentOfFirst + 1);
  expect(
    await rows(
      corrected.databaseUrl,
      `select id from delivery left join delivery_queue on delivery_id = id
       where version = 1 and (done_at is null or delivery_id is not null)`,
    ),
  ).toEqual([]);
});
