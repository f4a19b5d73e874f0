import { until } from '@insurance-verification/testing/until';
import { expect, onTestFinished, test, vi } from 'vitest';
import { aService, type TestService } from '../a-service.ts';
import { rows } from '../rows.ts';
import { anOwnServer } from './an-own-server.ts';

vi.setConfig({ testTimeout: 60_000 }); // it starts two servers

const promotions = ({ logLines }: TestService) =>
  logLines.filter((line) => line.includes('a standby was promoted: commits may be lost, see scaling.md'));

// Without it nobody looks for what a failover has lost, or each process says so.
test('a promotion is one line in the log, of one of the processes', async () => {
  const server = await anOwnServer();
  const before = await aService({ databaseUrl: server.connectionString });
  await until('its timeline is known', async () => {
    const [row] = await rows(server.connectionString, 'select timeline::int from server_timeline');
    return row?.['timeline'] === 1;
  });
  await before.stop();
  expect(promotions(before)).toEqual([]);
  const standby = await server.restartAsStandby();
  onTestFinished(standby.stop);
  await standby.admin('select pg_promote()');
  const databaseUrl = standby.connectionString;
  const services = [await aService({ databaseUrl }), await aService({ databaseUrl })];
  await until('it is reported', () => services.flatMap(promotions).length > 0);
  const lines = services.flatMap(promotions);
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ level: 40, from: 1, to: 2 }),
  ]);
});
