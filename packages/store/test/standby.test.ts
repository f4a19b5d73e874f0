import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  checkWritable,
  createApiKey,
  createMasterKey,
  isDatabaseUnavailable,
  migrate,
  openStore,
} from '../src/index.ts';
import { aServer } from './ground/a-server.ts';
import { anAccount } from './ground/stages.ts';
import { aSwallowingProxy } from './ground/swallowing-proxy.ts';
import { theKey } from './ground/the-stored.ts';

vi.setConfig({ testTimeout: 60_000 }); // each starts a server

// Broke: each write to a standby was an internal error, and the process stayed ready.
test('a standby reads, refuses writes as unavailable, and takes them once it is promoted', async () => {
  const primary = await aServer();
  const encryptionKey = createMasterKey('k1');
  const proxy = await aSwallowingProxy(primary.connectionString);
  const store = await openStore({ connectionString: proxy.connectionString, encryptionKey });
  onTestFinished(() => store.close());
  const caller = await anAccount(store);
  const { accountId } = caller;
  const key = { caller, accountId, scopes: ['requests'], name: null, expiresAt: null } as const;
  const made = await createApiKey(store, key);
  if (made.kind !== 'created') throw new Error(made.kind);

  const standby = await primary.restartAsStandby();
  onTestFinished(standby.stop);
  proxy.leadTo(standby.connectionString);
  await expect(migrate(standby)).rejects.toMatchObject({ code: '25006' });
  const errorOf = (promise: Promise<unknown>) => promise.then(() => null).catch((err: unknown) => err);
  const write = () => sql`insert into access_log (operation) values ('x')`.execute(store.db);
  expect(await errorOf(checkWritable(store))).toMatchObject({ code: '25006' });
  expect(await errorOf(write())).toSatisfy(isDatabaseUnavailable);
  // Its use cannot be recorded, which is no reason to refuse a key.
  expect(await theKey(store, made.key.key)).toMatchObject({ scopes: ['requests'] });

  await standby.admin('select pg_promote()');
  await expect.poll(() => errorOf(checkWritable(store)), { timeout: 20_000 }).toBe(null);
  await write();
});
