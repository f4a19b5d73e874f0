import { createTestDatabase } from '@insurance-verification/store/testing';
import { aRequest } from '@insurance-verification/testing/a-request';
import { expect, test } from 'vitest';
import { connectionCountOf } from '../../src/process/database/open-database.ts';
import { aService } from '../a-service.ts';
import { aTableLock } from '../a-table-lock.ts';
import { rows } from '../rows.ts';
import { watchSessions } from './watch-sessions.ts';

// Without it an operator would learn from 503s under load that the server takes fewer connections than the service wants.
test('a start warns of a server that takes fewer connections than the service may want', async () => {
  const { connectionString: databaseUrl } = await createTestDatabase();
  const name = new URL(databaseUrl).pathname.slice(1);
  await rows(databaseUrl, `alter database ${name} connection limit 30`);
  const warnedBy = async (poolMax: number) => {
    const service = await aService({ databaseUrl, env: { DATABASE_POOL_MAX: String(poolMax) } });
    await service.stop();
    return service.logLines
      .map((line) => JSON.parse(line) as { level: number; msg: string })
      .filter(({ msg }) => msg.includes('max_connections'));
  };
  expect(await warnedBy(28)).toEqual([]);
  expect(await warnedBy(29)).toMatchObject([
    {
      level: 40,
      pool: 29,
      wanted: 31,
      limit: 30,
      msg: 'the server may refuse connections: raise its max_connections, lower DATABASE_POOL_MAX, or put a pooler between',
    },
  ]);
});

// Breaks if a process takes more than the table of sizes in deploying.md gives it: PostgreSQL would refuse others.
test('at its busiest a process holds the connections that it is sized for', async () => {
  const databasePoolMax = 4;
  const service = await aService({ env: { DATABASE_POOL_MAX: String(databasePoolMax) } });
  const created = await service.ask('POST', '/requests/', { body: aRequest() });
  const { request_id } = created.json as { request_id: string };
  const sessions = await watchSessions(service.databaseUrl);
  const lock = await aTableLock(service.databaseUrl, 'request', 'access exclusive');
  const reads = Array.from({ length: 30 }, async () => {
    const { status } = await service.ask('GET', `/requests/${request_id}`);
    return status;
  });
  await lock.waitedForBy(databasePoolMax);
  await lock.release();
  // Whoever had a connection is answered; on a slow machine others may wait for one in vain, and get a 503.
  const statuses = await Promise.all(reads);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(databasePoolMax);
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(await sessions.stop()).toBe(connectionCountOf({ databasePoolMax }));
});
