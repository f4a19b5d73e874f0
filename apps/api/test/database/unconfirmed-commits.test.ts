import { expect, onTestFinished, test, vi } from 'vitest';
import { aService } from '../a-service.ts';
import { anOwnServer } from './an-own-server.ts';

vi.setConfig({ testTimeout: 120_000 }); // it starts two servers and four services

const PRODUCTION = { NODE_ENV: 'production', PAYERS: '["A","B","C","D"]' };

// Without it an operator would learn from a failover that its standby was an asynchronous one.
test('a start in production says once that no standby confirms commits, unless one does', async () => {
  const server = await anOwnServer();
  const warnedBy = async (env: Record<string, string>) => {
    const service = await aService({ databaseUrl: server.connectionString, env });
    await service.stop();
    return service.logLines
      .map((line) => JSON.parse(line) as { level: number; msg: string })
      .filter(({ msg }) => msg.includes('standby'));
  };
  expect(await warnedBy({})).toEqual([]); // a first try, on a server of one's own
  expect(await warnedBy(PRODUCTION)).toMatchObject([
    {
      level: 40,
      msg: 'no standby confirms commits before they are acknowledged: unless the storage is replicated, a failover loses the last of them; see synchronous_standby_names',
    },
  ]);

  const standby = await server.addStandby();
  onTestFinished(standby.stop);
  expect(await warnedBy(PRODUCTION)).toHaveLength(1); // it follows, and is not waited for
  await server.set('synchronous_standby_names', 'standby');
  expect(await warnedBy(PRODUCTION)).toEqual([]);
});
