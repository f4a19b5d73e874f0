import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { aCoverage, anOutput } from '@insurance-verification/testing/an-output';
import { describe, expect, test } from 'vitest';
import { useService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { transports } from '../transports.ts';
import { verified } from '../verified.ts';
import { aFinishedRequest, deliveryOf, deliveryOnce, finishedRequests } from './deliveries.ts';

const service = useService();

test('one signed webhook brings the result, and the standard’s own library verifies it', async () => {
  const receiver = await aReceiver({ status: 200, text: 'thanks' });
  const request = await aFinishedRequest(service, `${receiver.url}?a=b#fragment`);
  const delivery = await deliveryOnce(service, request.request_id, 'delivered');
  expect(receiver.received).toHaveLength(1);
  const [webhook] = receiver.received;
  expect(webhook && verified(webhook)).toEqual({
    request: { ...request, state: 'complete' },
    insurance_data: [aCoverage(request)],
  });
  expect(webhook?.path).toBe('/verified?a=b');
  expect(webhook?.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': delivery.delivery_id,
    'verification-version': '1',
  });
  expect(webhook?.headers['webhook-id']).not.toContain('.');
  expect(webhook?.headers.authorization).toBeUndefined();
});

describe.each(transports)('requests.deliveries over $name', (transport) => {
  test('is empty before a result', async () => {
    const { request_id } = await aStoredRequest(service);
    const answer = await transport.call(service, 'requests.deliveries', { request_id });
    expect([answer.status, answer.json]).toEqual([200, transport.success({ items: [] })]);
  });

  test('shows the attempt and the start of what the receiver said', async () => {
    const receiver = await aReceiver({ status: 202, text: 'x'.repeat(5000) });
    const { request_id } = await aFinishedRequest(service, receiver.url);
    await deliveryOnce(service, request_id, 'delivered');
    const answer = await transport.call(service, 'requests.deliveries', { request_id });
    expect([answer.status, answer.json]).toEqual([
      200,
      transport.success({
        items: [
          {
            delivery_id: expect.stringMatching(/^msg_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
            version: 1,
            status: 'delivered',
            next_attempt_at: null,
            paused_since: null,
            attempts: [
              {
                number: 1,
                at: expect.stringMatching(/Z$/),
                outcome: 'succeeded',
                status_code: 202,
                duration_ms: expect.any(Number),
                response_snippet: 'x'.repeat(2048),
              },
            ],
          },
        ],
      }),
    ]);
  });
});

// `complete` describes the verification; it must not wait for a receiver that may never come up.
test('the request is complete as soon as its result is accepted', async () => {
  const receiver = await aReceiver('hang');
  const request = await aFinishedRequest(service, receiver.url);
  expect(await service.answer('GET', `/requests/${request.request_id}`)).toEqual({
    ...request,
    state: 'complete',
  });
  expect(await deliveryOf(service, request.request_id)).toMatchObject({ status: 'pending', attempts: [] });
  await receiver.close();
});

// A receiver that never answers holds its attempts for 15 s; no other may wait for it, and its waiting deliveries are
// not charged with attempts that were never made. It has earned only two of a host's ten slots.
test('others are served while a receiver hangs, and its own wait uncharged', async () => {
  const hung = await aReceiver('hang');
  const waiting = await finishedRequests(service, Array<string>(70).fill(hung.url));
  await hung.first(2);
  const prompt = await aReceiver();
  const requests = await finishedRequests(service, Array<string>(20).fill(prompt.url));
  for (const { request_id } of requests) await deliveryOnce(service, request_id, 'delivered');
  expect(prompt.received).toHaveLength(20);
  expect(hung.received).toHaveLength(2);
  const deliveries = await Promise.all(waiting.map(({ request_id }) => deliveryOf(service, request_id)));
  expect(deliveries.map(({ status, attempts }) => ({ status, attempts }))).toEqual(
    waiting.map(() => ({ status: 'pending', attempts: [] })),
  );
  await hung.close();
});

test('userinfo in the callback address is sent as Basic, and not shown or logged', async () => {
  const receiver = await aReceiver();
  const url = receiver.url.replace('http://', 'http://clinic:p%40ss%3Aw%C3%B6rd@');
  const { request_id } = await aFinishedRequest(service, url);
  await deliveryOnce(service, request_id, 'delivered');
  const basic = Buffer.from('clinic:p@ss:wörd').toString('base64');
  expect(receiver.received[0]?.headers.authorization).toBe(`Basic ${basic}`);
  const log = service.logLines.join('');
  for (const secret of ['p%40ss', 'p@ss', basic, 'clinic']) expect(log).not.toContain(secret);
});

test('error_verifying is delivered with its reason', async () => {
  const receiver = await aReceiver();
  const request = await aStoredRequest(service, { callback_url: receiver.url });
  const output = anOutput(request, {
    state: 'error_verifying',
    error_reason: 'member_not_found',
    insurance_data: [],
  });
  await service.answer('POST', '/verification-output', output);
  const [webhook] = await receiver.first();
  expect(webhook && verified(webhook)).toEqual({
    request: { ...request, state: 'error_verifying', error_reason: 'member_not_found' },
    insurance_data: [],
  });
});
