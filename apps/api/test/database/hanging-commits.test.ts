import { randomUUID } from 'node:crypto';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import { expect, test, vi } from 'vitest';
import { aService, type TestService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { deliveryOnce } from '../delivery/deliveries.ts';
import { rows } from '../rows.ts';
import { anOwnServer } from './an-own-server.ts';

vi.setConfig({ testTimeout: 60_000 }); // each starts a server

const keyed = (key: string) => ({ headers: { 'idempotency-key': key }, body: aRequest() });
const isReady = async (service: TestService) =>
  (await service.ask('GET', '/readyz', { key: null })).status === 200;

// Broke: with the standby gone, each caller was answered after 17 s, and the process stayed ready.
test('while commits hang a call is 503 with Retry-After, its retry afterwards finds what it did, reads continue', async () => {
  const server = await anOwnServer();
  const service = await aService({ databaseUrl: server.connectionString });
  await aStoredRequest(service);
  const keys = Array.from({ length: 30 }, () => randomUUID());
  await server.set('synchronous_standby_names', 'nobody');

  const answers = await Promise.all(keys.map((key) => service.ask('POST', '/requests/', keyed(key))));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(new Set(answers.map(({ headers }) => headers['retry-after']))).toEqual(new Set(['2']));
  expect(await isReady(service)).toBe(false);
  const hanging = await server.waitingPids();
  for (let round = 0; round < 50; round += 1) {
    const { status } = await service.ask('POST', '/requests/', keyed(keys[round % 30] ?? ''));
    expect(status).toBe(503);
    expect((await service.ask('GET', '/work/stats')).status).toBe(200);
  }
  // Fewer, once the first probes are cut after ten seconds.
  expect((await server.waitingPids()).length).toBeLessThanOrEqual(hanging.length);
  expect(service.logLines.filter((line) => line.includes('commits hang'))).toHaveLength(1);

  await server.set('synchronous_standby_names', '');
  await until('it is ready', () => isReady(service));
  const retries = await Promise.all(keys.map((key) => service.ask('POST', '/requests/', keyed(key))));
  expect(new Set(retries.map(({ status }) => status))).toEqual(new Set([200]));
  const ids = new Set(retries.map(({ json }) => (json as { request_id: string }).request_id));
  expect(ids.size).toBe(30);
  expect(await rows(server.connectionString, 'select count(*)::int as count from request')).toEqual([
    { count: 31 },
  ]);
});

// Without it a receiver would get a message again for each attempt that could not be recorded in time.
test('an attempt that ends while commits hang is written down afterwards, and its message not sent again', async () => {
  const server = await anOwnServer();
  const receiver = await aReceiver('hang');
  const service = await aService({
    databaseUrl: server.connectionString,
    env: { WEBHOOK_RETRY_SCHEDULE: '0s,30d' },
  });
  const request = await aStoredRequest(service, { callback_url: receiver.url });
  await service.answer('POST', '/verification-output', anOutput(request));
  await receiver.first();
  await server.set('synchronous_standby_names', 'nobody');
  await receiver.close();
  await until('the hang is known', async () => !(await isReady(service)));
  await server.set('synchronous_standby_names', '');
  const delivery = await until('the attempt is on record', async () => {
    const { status, json } = await service.ask('GET', `/requests/${request.request_id}/deliveries`);
    const [first] = status === 200 ? (json as { items: { attempts: unknown[] }[] }).items : [];
    return first && first.attempts.length > 0 && first;
  });
  expect(delivery.attempts).toEqual([expect.objectContaining({ number: 1, outcome: 'connection_failed' })]);
});

// Without it the verifier's retry would lose the result or apply it twice.
test('a result whose commit hung is accepted once, and delivered once', async () => {
  const server = await anOwnServer();
  const receiver = await aReceiver();
  const service = await aService({ databaseUrl: server.connectionString });
  const request = await aStoredRequest(service, { callback_url: receiver.url });
  await server.set('synchronous_standby_names', 'nobody');
  const first = await service.ask('POST', '/verification-output', { body: anOutput(request) });
  expect(first.status).toBe(503);
  await server.set('synchronous_standby_names', '');
  const again = await until('the retry is answered', async () => {
    const { status, json } = await service.ask('POST', '/verification-output', { body: anOutput(request) });
    return status === 200 && (json as { status: string });
  });
  expect(again.status).toBe('unchanged');
  await deliveryOnce(service, request.request_id, 'delivered');
  expect(receiver.received).toHaveLength(1);
});
