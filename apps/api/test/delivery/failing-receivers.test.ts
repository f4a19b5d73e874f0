import type { RequestList, RequestModel } from '@insurance-verification/schema';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { anOutput } from '@insurance-verification/testing/an-output';
import { freePort } from '@insurance-verification/testing/free-port';
import { until } from '@insurance-verification/testing/until';
import { describe, expect, test } from 'vitest';
import { aService, useService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { transports } from '../transports.ts';
import { verified } from '../verified.ts';
import { aFinishedRequest, deliveryOf, deliveryOnce } from './deliveries.ts';

const service = useService({ env: { WEBHOOK_RETRY_SCHEDULE: '0s,1s,1s' } });

const read = (requestId: string) => service.answer<RequestModel>('GET', `/requests/${requestId}`);
const attempt = (number: number, facts: object) => ({
  number,
  at: expect.any(String),
  duration_ms: expect.any(Number),
  response_snippet: null,
  ...facts,
});

describe.each(transports)('over $name', (transport) => {
  test('after the last attempt the request shows why, and a redelivery of the same bytes sets it right', async () => {
    const receiver = await aReceiver({ status: 500, text: 'out of order' });
    const request = await aFinishedRequest(service, receiver.url);
    const { request_id } = request;
    const failed = { outcome: 'http_error', status_code: 500, response_snippet: 'out of order' };
    expect(await deliveryOnce(service, request_id, 'exhausted')).toMatchObject({
      next_attempt_at: null,
      attempts: [attempt(1, failed), attempt(2, failed), attempt(3, failed)],
    });
    const shown = { ...request, state: 'error_sending_webhook', error_reason: 'webhook_exhausted' };
    expect(await read(request_id)).toEqual(shown);
    expect(await service.answer('GET', `/requests/${request_id}/result`)).toMatchObject({ request: shown });
    const listed = await service.answer<RequestList>('GET', '/requests/?state=error_sending_webhook&limit=1');
    expect(listed.items).toEqual([shown]);

    // Until it succeeds, a redelivery changes nothing that is shown.
    receiver.behave('hang');
    const answer = await transport.call(service, 'requests.redeliver', { request_id });
    expect([answer.status, answer.json]).toEqual([200, transport.success(shown)]);
    await receiver.first(4);
    expect(await read(request_id)).toEqual(shown);
    expect(await deliveryOf(service, request_id)).toMatchObject({
      status: 'pending',
      next_attempt_at: expect.any(String),
    });

    // The receiver cuts off the hung attempt, which counts as one; the next one of the round succeeds.
    const { port } = receiver;
    await receiver.close();
    const restarted = await aReceiver({ status: 204 }, port);
    const delivered = await deliveryOnce(service, request_id, 'delivered');
    expect(await read(request_id)).toEqual({ ...request, state: 'complete' });
    const all = [...receiver.received, ...restarted.received];
    expect(new Set(all.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([delivered.delivery_id]),
    );
    expect(new Set(all.map(({ body }) => body)).size).toBe(1);
    for (const webhook of all) verified(webhook);
    expect(delivered.attempts.map(({ number }) => number)).toEqual(
      delivered.attempts.map((_, index) => index + 1),
    );
    expect(delivered.attempts.at(-1)).toMatchObject({ outcome: 'succeeded', status_code: 204 });
  });

  test('a delivered result can be delivered again, the same message', async () => {
    const receiver = await aReceiver();
    const request = await aFinishedRequest(service, receiver.url);
    await deliveryOnce(service, request.request_id, 'delivered');
    const answer = await transport.call(service, 'requests.redeliver', { request_id: request.request_id });
    expect([answer.status, answer.json]).toEqual([200, transport.success({ ...request, state: 'complete' })]);
    const [first, second] = await receiver.first(2);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    verified(second ?? expect.fail());
  });

  test('a redelivery of one under way is 200 and changes nothing', async () => {
    const receiver = await aReceiver('hang');
    const request = await aFinishedRequest(service, receiver.url);
    await receiver.first();
    const before = await deliveryOf(service, request.request_id);
    const answer = await transport.call(service, 'requests.redeliver', { request_id: request.request_id });
    expect([answer.status, answer.json]).toEqual([200, transport.success({ ...request, state: 'complete' })]);
    expect(await deliveryOf(service, request.request_id)).toEqual(before);
    expect(receiver.received).toHaveLength(1);
    await receiver.close();
  });

  test('a redelivery without a result is 409', async () => {
    const { request_id } = await aStoredRequest(service);
    const answer = await transport.call(service, 'requests.redeliver', { request_id });
    expect([answer.status, answer.json]).toEqual([409, transport.problem('no_result')]);
  });
});

test('410 ends the delivery at once as webhook_gone, and a redelivery starts it again', async () => {
  const receiver = await aReceiver({ status: 410 });
  const { request_id } = await aFinishedRequest(service, receiver.url);
  expect((await deliveryOnce(service, request_id, 'exhausted')).attempts).toEqual([
    attempt(1, { outcome: 'gone', status_code: 410 }),
  ]);
  expect(await read(request_id)).toMatchObject({
    state: 'error_sending_webhook',
    error_reason: 'webhook_gone',
  });
  receiver.behave({ status: 204 });
  await service.answer('POST', `/requests/${request_id}/redeliver`);
  await deliveryOnce(service, request_id, 'delivered');
  expect(await read(request_id)).toMatchObject({ state: 'complete', error_reason: null });
});

// The verification's own reason is stored beside the delivery's, and shown again once the delivery succeeds.
test('the delivery’s reason hides the outcome’s only as long as it holds', async () => {
  const receiver = await aReceiver({ status: 410 });
  const request = await aStoredRequest(service, { callback_url: receiver.url });
  const output = anOutput(request, {
    state: 'error_verifying',
    error_reason: 'member_not_found',
    insurance_data: [],
  });
  await service.answer('POST', '/verification-output', output);
  await deliveryOnce(service, request.request_id, 'exhausted');
  expect(await read(request.request_id)).toMatchObject({
    state: 'error_sending_webhook',
    error_reason: 'webhook_gone',
  });
  receiver.behave({ status: 204 });
  await service.answer('POST', `/requests/${request.request_id}/redeliver`);
  await deliveryOnce(service, request.request_id, 'delivered');
  expect(await read(request.request_id)).toMatchObject({
    state: 'error_verifying',
    error_reason: 'member_not_found',
  });
});

test('a redirect is a failure and is not followed', async () => {
  const elsewhere = await aReceiver();
  const receiver = await aReceiver({ status: 307, headers: { location: elsewhere.url } });
  const { request_id } = await aFinishedRequest(service, receiver.url);
  const { attempts } = await deliveryOnce(service, request_id, 'exhausted');
  expect(attempts[0]).toEqual(attempt(1, { outcome: 'redirected', status_code: 307 }));
  expect(elsewhere.connectionCount()).toBe(0);
});

test('a receiver that is down gets its result when it is up again', async () => {
  const patient = await aService({ env: { WEBHOOK_RETRY_SCHEDULE: '0s,1s,1s,1s,1s,1s,1s,1s,1s,1s' } });
  const port = await freePort();
  const { request_id } = await aFinishedRequest(patient, `http://127.0.0.1:${port}/verified`);
  await until(
    'an attempt has failed',
    async () => (await deliveryOf(patient, request_id)).attempts.length > 0,
  );
  const receiver = await aReceiver({ status: 204 }, port);
  const { attempts } = await deliveryOnce(patient, request_id, 'delivered');
  expect(attempts[0]).toEqual(attempt(1, { outcome: 'connection_failed', status_code: null }));
  expect(receiver.received).toHaveLength(1);
});

test.each([
  'http://127.0.0.1:PORT/',
  'http://localhost:PORT/',
  'http://2130706433:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
])(
  'with nothing allowed, %s is blocked: no connection, retried, then webhook_blocked_address',
  async (address) => {
    const guarded = await aService({ env: { WEBHOOK_ALLOW_CIDRS: ',', WEBHOOK_RETRY_SCHEDULE: '0s,0s' } });
    const receiver = await aReceiver();
    const { request_id } = await aFinishedRequest(guarded, address.replace('PORT', String(receiver.port)));
    const blocked = { outcome: 'blocked_address', status_code: null };
    expect((await deliveryOnce(guarded, request_id, 'exhausted')).attempts).toEqual([
      attempt(1, blocked),
      attempt(2, blocked),
    ]);
    expect(await guarded.answer('GET', `/requests/${request_id}`)).toMatchObject({
      state: 'error_sending_webhook',
      error_reason: 'webhook_blocked_address',
    });
    expect(receiver.connectionCount()).toBe(0);
    expect(guarded.logLines.join('')).not.toContain(String(receiver.port));
  },
);
