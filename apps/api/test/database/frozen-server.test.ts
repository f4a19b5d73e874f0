import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import { expect, onTestFinished, test, vi } from 'vitest';
import { aService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { anOwnServer } from './an-own-server.ts';

vi.setConfig({ testTimeout: 120_000 }); // it starts a server

// Broke: each caller of a server that had frozen waited 17 s, and some were answered 500.
test('while the database is frozen each call is 503 with Retry-After, and it recovers by itself', async () => {
  const server = await anOwnServer();
  const service = await aService({ databaseUrl: server.connectionString });
  const request = await aStoredRequest(service);
  const calls = () =>
    Promise.all([
      ...Array.from({ length: 4 }, () => service.ask('POST', '/requests/', { body: aRequest() })),
      ...Array.from({ length: 4 }, () => service.ask('GET', `/requests/${request.request_id}`)),
      ...Array.from({ length: 4 }, () =>
        service.ask('POST', '/verification-output', { body: anOutput(request) }),
      ),
      service.ask('GET', '/work/stats'),
    ]);
  await calls(); // connections that are idle when it freezes
  const frozen = await server.freeze();
  onTestFinished(frozen.thaw);
  for (let round = 0; round < 8; round += 1) {
    const answers = await calls();
    expect(service.logLines.filter((line) => line.includes('"status":500'))).toEqual([]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(answers.filter(({ headers }) => headers['retry-after'] === undefined)).toEqual([]);
  }
  frozen.thaw();
  await until('it answers', async () => (await service.ask('GET', '/work/stats')).status === 200);
  await until('it is written', async () => {
    const { status } = await service.ask('POST', '/requests/', { body: aRequest() });
    return status === 200;
  });
});
