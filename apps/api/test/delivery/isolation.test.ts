import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { until } from '@insurance-verification/testing/until';
import { expect, onTestFinished, test, vi } from 'vitest';
import { aService } from '../a-service.ts';
import { aTableLock } from '../a-table-lock.ts';
import { aFinishedRequest, deliveryOf, deliveryOnce, finishedRequests } from './deliveries.ts';

// Broke: slots freed during a claim stayed empty until the next poll, a second later.
test('places that come free are filled at once, without a poll', async () => {
  const receivers = await Promise.all(Array.from({ length: 16 }, () => aReceiver()));
  const http = await aService({ env: { ROLES: 'http' } });
  const count = 400;
  const urls = Array.from({ length: count }, (_, index) => receivers[index % receivers.length]?.url ?? '');
  await finishedRequests(http, urls);
  vi.useFakeTimers({ toFake: ['setTimeout'] }); // the poll never runs
  onTestFinished(() => void vi.useRealTimers());
  await aService({ databaseUrl: http.databaseUrl, env: { ROLES: 'delivery' } });
  const arrived = () => receivers.flatMap(({ received }) => received.map((one) => one.headers['webhook-id']));
  await until('all have arrived', () => arrived().length >= count);
  expect(new Set(arrived()).size).toBe(count);
});

// All receivers of an account share its hundred slots; hanging ones must not take them all.
test('a receiver is served while twenty of the same account hang', async () => {
  const service = await aService();
  const hung = await Promise.all(Array.from({ length: 20 }, () => aReceiver('hang')));
  for (let round = 0; round < 5; round += 1)
    await finishedRequests(
      service,
      hung.map(({ url }) => url),
    );
  await Promise.all(hung.map((receiver) => receiver.first(2)));
  const quick = await aReceiver();
  const requests = await finishedRequests(service, Array<string>(30).fill(quick.url));
  for (const { request_id } of requests) await deliveryOnce(service, request_id, 'delivered');
  expect(quick.received).toHaveLength(30);
  expect(hung.map(({ received }) => received.length)).toEqual(Array(20).fill(2));
  await Promise.all(hung.map((receiver) => receiver.close()));
});

// A requested redelivery means that the receiver is back: the breaker must not delay it by half a minute.
test('a redelivery is tried at once, though the host was closed for failing', async () => {
  const receiver = await aReceiver({ status: 500 });
  const service = await aService({ env: { WEBHOOK_RETRY_SCHEDULE: Array(10).fill('0s').join(',') } });
  const failed = await aFinishedRequest(service, receiver.url);
  await deliveryOnce(service, failed.request_id, 'exhausted');
  const waiting = await aFinishedRequest(service, receiver.url);
  receiver.behave({ status: 204 });
  expect(receiver.received).toHaveLength(10);
  expect(await deliveryOf(service, waiting.request_id)).toMatchObject({ status: 'pending', attempts: [] });
  await service.answer('POST', `/requests/${failed.request_id}/redeliver`);
  // Either may be the probe: when it succeeds, the host is open for the other.
  await deliveryOnce(service, failed.request_id, 'delivered');
  await deliveryOnce(service, waiting.request_id, 'delivered');
});

// Without it ten answered posts would occupy a receiver's slots until the database has recorded them.
test('a place is given back when the receiver has answered, before that is written', async () => {
  const receiver = await aReceiver({ status: 204 });
  const http = await aService({ env: { ROLES: 'http' } });
  const requests = await finishedRequests(http, Array<string>(40).fill(receiver.url));
  const lock = await aTableLock(http.databaseUrl, 'request');
  const worker = await aService({ databaseUrl: http.databaseUrl, env: { ROLES: 'delivery' } });
  await receiver.first(40);
  await lock.release();
  for (const { request_id } of requests) await deliveryOnce(http, request_id, 'delivered');
  expect(receiver.received).toHaveLength(40);
  await worker.stop();
});
