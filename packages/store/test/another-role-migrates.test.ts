import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { layCluster } from '@insurance-verification/testing/lay-cluster';
import { expect, onTestFinished, test, vi } from 'vitest';
import { migrate, startEmbeddedServer } from '../src/index.ts';
import { withClient } from '../src/testing/create-test-database.ts';
import { timeoutsOf } from './ground/timeouts-of.ts';

vi.setConfig({ testTimeout: 60_000 }); // each starts a server

/** A separate server: creating roles takes more rights than the suite requires on the server it is given. */
async function aServer() {
  const dataDir = await mkdtemp(join(tmpdir(), 'ivs-roles-'));
  layCluster(dataDir);
  const server = await startEmbeddedServer({ dataDir, settings: { fsync: 'off' } });
  onTestFinished(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return server.connectionString;
}

// Broke: with DATABASE_DIRECT_URL the migrating role got the time-outs and the serving one had none, so no statement of
// the service was ever cut.
test('the role that the service connects as has the time-outs, also when another one migrates', async () => {
  const serviceConnectionString = await aServer();
  const direct = new URL(serviceConnectionString);
  direct.username = 'postgres';
  const connectionString = direct.href;
  expect((await migrate({ connectionString, serviceConnectionString })).length).toBeGreaterThan(0);
  expect(await timeoutsOf(serviceConnectionString)).toEqual(['15s', '1200ms', '15s']);
  expect(await migrate({ connectionString, serviceConnectionString })).toEqual([]);
});

// Without it a service with fewer rights than its migrations need could not start.
test('a role that may do nothing but connect gets them too', async () => {
  const embedded = new URL(await aServer());
  const admin = new URL(embedded);
  admin.username = 'postgres';
  await withClient(admin.href, (client) => client.query(`create role clerk login password 'clerk'`));
  const clerk = new URL(embedded);
  [clerk.username, clerk.password] = ['clerk', 'clerk'];
  await migrate({ connectionString: embedded.href, serviceConnectionString: clerk.href });
  expect(await timeoutsOf(clerk.href)).toEqual(['15s', '1200ms', '15s']);
});
