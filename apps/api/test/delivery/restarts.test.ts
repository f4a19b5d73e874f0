import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { freePort } from '@insurance-verification/testing/free-port';
import { expect, test } from 'vitest';
import { aService } from '../a-service.ts';
import { rows } from '../rows.ts';
import { verified } from '../verified.ts';
import { aFinishedRequest, deliveryOf, deliveryOnce } from './deliveries.ts';

// An acknowledged result must not be lost.
test('a result accepted before a restart is delivered after it, under the same id', async () => {
  const schedule = { WEBHOOK_RETRY_SCHEDULE: '0s,1s,1s,1s,1s,1s,1s,1s,1s,1s,1s,1s,1s,1s,1s,1s,1s,1s,1s,1s' };
  const port = await freePort();
  const before = await aService({ env: schedule });
  const request = await aFinishedRequest(before, `http://127.0.0.1:${port}/verified`);
  const { delivery_id } = await deliveryOf(before, request.request_id);
  await before.stop();
  const receiver = await aReceiver({ status: 204 }, port);
  const after = await aService({ databaseUrl: before.databaseUrl, env: schedule });
  await deliveryOnce(after, request.request_id, 'delivered');
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([delivery_id]);
  expect(verified(receiver.received[0] ?? expect.fail())).toMatchObject({
    request: { ...request, state: 'complete' },
  });
});

test('a process without the delivery role leaves the queue to one that has it', async () => {
  const receiver = await aReceiver();
  const http = await aService({ env: { ROLES: 'http' } });
  const request = await aFinishedRequest(http, receiver.url);
  await aService({ databaseUrl: http.databaseUrl, env: { ROLES: 'delivery' } });
  await deliveryOnce(http, request.request_id, 'delivered');
  expect(receiver.received).toHaveLength(1);
});

// Both claim from one queue; a row claimed by both would be a duplicate.
test('two processes on one database send each message once', async () => {
  const receiver = await aReceiver();
  const first = await aService();
  const second = await aService({ databaseUrl: first.databaseUrl });
  const requests = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      aFinishedRequest(index % 2 === 0 ? first : second, receiver.url),
    ),
  );
  for (const { request_id } of requests) await deliveryOnce(second, request_id, 'delivered');
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(ids).toHaveLength(60);
  expect(new Set(ids).size).toBe(60);
});

// The receiver has the message: a stop that forgot it would cause a duplicate.
test('a stop waits for the attempt under way and writes down what came of it', async () => {
  const receiver = await aReceiver('hang');
  const before = await aService({ env: { WEBHOOK_RETRY_SCHEDULE: '0s,30d' } });
  const request = await aFinishedRequest(before, receiver.url);
  await receiver.first();
  let stopped = false;
  const stopping = before.stop().then(() => (stopped = true));
  expect(stopped).toBe(false);
  await receiver.close();
  await stopping;
  const after = await aService({ databaseUrl: before.databaseUrl });
  expect(await deliveryOf(after, request.request_id)).toMatchObject({
    status: 'pending',
    attempts: [{ number: 1, outcome: 'connection_failed' }],
  });
});

// An expired lease releases the row, so a vanished worker costs seconds and no message.
test('a delivery whose worker vanished is sent when its lease ends and not before, with the same id', async () => {
  const receiver = await aReceiver();
  const http = await aService({ env: { ROLES: 'http' } });
  const leased = await aFinishedRequest(http, receiver.url);
  await rows(
    http.databaseUrl,
    `update delivery_queue set lease = gen_random_uuid(), leased_at = now(), leased_until = now() + interval '1 hour'`,
  );
  const free = await aFinishedRequest(http, receiver.url);
  await aService({ databaseUrl: http.databaseUrl, env: { ROLES: 'delivery' } });
  await deliveryOnce(http, free.request_id, 'delivered');
  expect(receiver.received).toHaveLength(1);
  await rows(http.databaseUrl, 'update delivery_queue set leased_until = now()');
  const { delivery_id } = await deliveryOnce(http, leased.request_id, 'delivered');
  expect(receiver.received[1]?.headers['webhook-id']).toBe(delivery_id);
});
