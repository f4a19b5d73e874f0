import type { RequestModel } from '@insurance-verification/schema';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { describe, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { transports } from '../transports.ts';
import { verified } from '../verified.ts';

const service = useService();

describe.each(transports)('requests.close over $name', (transport) => {
  test.each(['withdrawn', 'expired', 'member_not_found'])(
    'ends the request as error_verifying with %s',
    async (reason) => {
      const request = await aStoredRequest(service);
      const answer = await transport.call(service, 'requests.close', {
        request_id: request.request_id,
        reason,
      });
      expect(answer.status).toBe(200);
      expect(answer.json).toEqual(
        transport.success({ ...request, state: 'error_verifying', error_reason: reason }),
      );
    },
  );

  // A client waiting for a webhook must learn that none with a result will come.
  test('is delivered like any result', async () => {
    const receiver = await aReceiver();
    const request = await aStoredRequest(service, { callback_url: receiver.url });
    await transport.call(service, 'requests.close', { request_id: request.request_id, reason: 'expired' });
    const [webhook] = await receiver.first();
    expect(webhook && verified(webhook)).toEqual({
      request: { ...request, state: 'error_verifying', error_reason: 'expired' },
      insurance_data: [],
    });
  });

  test('a finished request is 409', async () => {
    const { request_id } = await aStoredRequest(service);
    await transport.call(service, 'requests.close', { request_id, reason: 'withdrawn' });
    const answer = await transport.call(service, 'requests.close', { request_id, reason: 'expired' });
    expect([answer.status, answer.json]).toEqual([409, transport.problem('request_finished')]);
    expect(await service.answer<RequestModel>('GET', `/requests/${request_id}`)).toMatchObject({
      error_reason: 'withdrawn',
    });
  });

  test('an operator closes another account’s request', async () => {
    const request = await aStoredRequest(service, {}, await aKey(service));
    const input = { request_id: request.request_id, reason: 'expired' };
    const answer = await transport.call(service, 'requests.close', input, {
      key: await aKey(service, ['operate']),
    });
    expect([answer.status, answer.json]).toEqual([
      200,
      transport.success({ ...request, state: 'error_verifying', error_reason: 'expired' }),
    ]);
  });

  test.each([
    [{ reason: 'because' }, 'enum'],
    [{ reason: 'webhook_exhausted' }, 'enum'], // the state would claim that it was verified
    [{ reason: 'webhook_gone' }, 'enum'],
    [{ reason: 'webhook_blocked_address' }, 'enum'],
    [{ reason: null }, 'enum'],
    [{ reason: 5 }, 'enum'],
  ])('%o is refused at the reason', async (body, type) => {
    const { request_id } = await aStoredRequest(service);
    const answer = await transport.call(service, 'requests.close', { request_id, ...body });
    expect(answer.status).toBe(422);
    expect(answer.json).toEqual(
      transport.invalid({ loc: ['body', 'reason'], msg: expect.any(String), type }),
    );
  });

  test('a member that it does not know is refused with the missing reason', async () => {
    const { request_id } = await aStoredRequest(service);
    const answer = await transport.call(service, 'requests.close', { request_id, other: 1 });
    expect(answer.json).toEqual(
      transport.invalid(
        { loc: ['body', 'reason'], msg: 'Field required', type: 'missing' },
        { loc: ['body', 'other'], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' },
      ),
    );
  });
});

test.each(['', 'null'])('no body (%j) is missing at the body, as FastAPI reports it', async (body) => {
  const { request_id } = await aStoredRequest(service);
  const answer = await service.ask('POST', `/requests/${request_id}/close`, { body });
  expect([answer.status, answer.json]).toEqual([
    422,
    { detail: [{ loc: ['body'], msg: 'Field required', type: 'missing' }] },
  ]);
});
