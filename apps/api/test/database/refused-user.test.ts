import { aRequest } from '@insurance-verification/testing/a-request';
import { until } from '@insurance-verification/testing/until';
import { expect, test, vi } from 'vitest';
import { aService } from '../a-service.ts';
import { transports } from '../transports.ts';
import { anOwnServer } from './an-own-server.ts';

vi.setConfig({ testTimeout: 60_000 }); // each starts a server

const ROLE = 'insurance_verification';
const endSessions = `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${ROLE}'`;

// Broke: every call was a 500, which tells a provider to give up, while an operator changed a password.
test.each([
  [
    'a changed password (28P01)',
    `alter role ${ROLE} password 'another'`,
    (password: string) => `alter role ${ROLE} password '${password}'`,
  ],
  ['a role that may not log in (28000)', `alter role ${ROLE} nologin`, () => `alter role ${ROLE} login`],
])('%s under a running service is 503 with Retry-After, and passes', async (_name, away, back) => {
  const server = await anOwnServer();
  const service = await aService({ databaseUrl: server.connectionString });
  const isReady = async () => (await service.ask('GET', '/readyz')).status === 200;
  await server.admin(away, endSessions);
  await until('it is not ready', async () => !(await isReady()));
  for (const transport of transports) {
    const { status, headers } = await transport.call(service, 'requests.create', aRequest());
    expect([transport.name, status, headers['retry-after']]).toEqual([transport.name, 503, '2']);
  }
  expect((await service.ask('GET', '/livez')).status).toBe(200);
  expect(service.logLines.filter((line) => line.includes('"status":500'))).toEqual([]);

  await server.admin(back(new URL(server.connectionString).password));
  await until('it is ready', isReady);
  expect((await service.ask('POST', '/requests/', { body: aRequest() })).status).toBe(200);
});
