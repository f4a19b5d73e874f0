import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { aServer } from '../../test/ground/a-server.ts';
import { aWatchedStore, errorOf, write } from '../../test/ground/a-watched-store.ts';
import { checkWritable, isDatabaseUnavailable } from '../index.ts';

vi.setConfig({ testTimeout: 60_000 }); // each starts a server
const patiently = { timeout: 20_000 };

// Broke: the connections to the old primary stayed in the pool, and each one failed a caller.
test('of a server that turns read-only every connection is dropped, and reads continue', async () => {
  const server = await aServer();
  const { store, reported } = await aWatchedStore(server);
  const pids = async () => {
    const busy = Array.from({ length: 4 }, () =>
      sql<{ pid: number }>`select pg_backend_pid() as pid, pg_sleep(0.05)`.execute(store.db),
    );
    return (await Promise.all(busy)).map(({ rows }) => rows[0]?.pid);
  };
  const before = await pids();
  await server.set('default_transaction_read_only', 'on');
  expect(await errorOf(write(store, 'refused'))).toSatisfy(isDatabaseUnavailable);
  const after = await pids();
  expect(after.filter((pid) => before.includes(pid))).toEqual([]);
  expect(await errorOf(checkWritable(store))).toSatisfy(isDatabaseUnavailable);
  await server.set('default_transaction_read_only', 'off');
  await expect.poll(() => errorOf(checkWritable(store)), patiently).toBe(null);
  await write(store, 'again');
  expect(reported).toEqual([]);
});

// Without it the probe would ask over an older session, and find a database writable that no other session can write.
test('a database that is read-only only for new sessions is detected', async () => {
  const server = await aServer();
  const { store } = await aWatchedStore(server);
  await checkWritable(store);
  await server.admin('alter database insurance_verification set default_transaction_read_only = on');
  await server.admin(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'insurance-verification'`,
  );
  await expect.poll(() => errorOf(write(store, 'refused')), patiently).toMatchObject({ code: '25006' });
  expect(await errorOf(checkWritable(store))).toMatchObject({ code: '25006' });
  await server.admin(
    'set default_transaction_read_only = off',
    'alter database insurance_verification reset default_transaction_read_only',
  );
  await expect.poll(() => errorOf(checkWritable(store)), patiently).toBe(null);
  await expect.poll(() => errorOf(write(store, 'again')), patiently).toBe(null);
});

// Without it a role that may not write such a message would never be ready.
test('a server that does not let the probe write is taken for one whose commits come through', async () => {
  const server = await aServer();
  for (const row of await server.admin(
    `select oid::regprocedure::text as signature from pg_proc where proname = 'pg_logical_emit_message'`,
  ))
    await server.admin(`revoke execute on function ${String(row['signature'])} from public`);
  const { store } = await aWatchedStore(server);
  await expect(checkWritable(store)).resolves.toBeUndefined();
  await write(store, 'written');
});
