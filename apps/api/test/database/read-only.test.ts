import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import { expect, test, vi } from 'vitest';
import { describeStartFailure } from '../../src/process/describe-start-failure.ts';
import { aService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { deliveryOnce } from '../delivery/deliveries.ts';
import { transports } from '../transports.ts';
import { anOwnServer } from './an-own-server.ts';

vi.setConfig({ testTimeout: 60_000 }); // each starts a server

// Broke: every write was a 500 and the process stayed ready, so a switchover meant errors until a restart.
test('on a read-only database writes are 503 with Retry-After, the process is not ready, and it recovers by itself', async () => {
  const server = await anOwnServer();
  const receiver = await aReceiver();
  const service = await aService({ databaseUrl: server.connectionString });
  const request = await aStoredRequest(service, { callback_url: receiver.url });
  await server.set('default_transaction_read_only', 'on');

  for (const transport of transports) {
    for (const answer of [
      await transport.call(service, 'requests.create', aRequest()),
      await transport.call(service, 'requests.create', aRequest(), { headers: { 'idempotency-key': 'k' } }),
      await transport.call(service, 'verificationOutput.submit', anOutput(request)),
      await transport.call(service, 'work.claim', { channels: ['manual_phone_call'], max: 1 }),
      // Reading a patient's data writes an access-log line, which is impossible too.
      await transport.call(service, 'requests.get', { request_id: request.request_id }),
      await transport.call(service, 'accounts.create', { name: 'Clinic', kind: 'provider' }),
    ]) {
      expect([transport.name, answer.status, answer.headers['retry-after']]).toEqual([
        transport.name,
        503,
        '2',
      ]);
    }
    expect((await transport.call(service, 'work.stats')).status).toBe(200);
  }
  await until('it is not ready', async () => (await service.ask('GET', '/readyz')).status === 503);
  expect((await service.ask('GET', '/livez')).status).toBe(200);
  expect((await service.ask('GET', '/metrics')).status).toBe(200);
  // The workers try each second; they log it once.
  const claims = service.logLines.filter((line) => line.includes('claim failed'));
  expect(claims.length).toBeLessThanOrEqual(1);
  expect(service.logLines.filter((line) => line.includes('"status":500'))).toEqual([]);

  await server.set('default_transaction_read_only', 'off');
  await until('it is ready', async () => (await service.ask('GET', '/readyz')).status === 200);
  await until('it is written', async () => {
    const { status } = await service.ask('POST', '/verification-output', { body: anOutput(request) });
    return status === 200;
  });
  await deliveryOnce(service, request.request_id, 'delivered');
  expect(receiver.received).toHaveLength(1);
});

// Without it an operator would see a stack trace about a statement they never wrote.
test('a start against a standby, or a read-only server, is refused in words', async () => {
  const server = await anOwnServer();
  const first = await aService({ databaseUrl: server.connectionString });
  await first.stop();
  const sentences = async (databaseUrl: string) => {
    const refusal: unknown = await aService({ databaseUrl }).catch((err: unknown) => err);
    return describeStartFailure(refusal);
  };
  await server.set('default_transaction_read_only', 'on');
  const readOnly = await sentences(server.connectionString);
  await server.set('default_transaction_read_only', 'off');
  const standby = await server.restartAsStandby();
  try {
    expect(await sentences(standby.connectionString)).toBe(readOnly);
  } finally {
    await standby.stop();
  }
  expect(readOnly).toBe(
    'DATABASE_URL: The database cannot be written: it is a standby, or set to be read-only.\n' +
      'It leads to a standby, or to a server with default_transaction_read_only. DATABASE_URL and DATABASE_DIRECT_URL must lead to the primary.',
  );
});
