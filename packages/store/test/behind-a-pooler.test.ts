import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createMasterKey, listen, migrate, openStore } from '../src/index.ts';
import { SCHEMA_NAME } from '../src/migrations/migrate.ts';
import { withClient } from '../src/testing/create-test-database.ts';
import { aTransactionPooler } from './ground/a-transaction-pooler.ts';
import { anEmptyDatabase } from './ground/empty-database.ts';

/** The locks in a database's sessions that outlive a transaction. */
const heldLocks = (connectionString: string) =>
  withClient(connectionString, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_locks where locktype = 'advisory'
       and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows;
  });

/** The time-outs of the session that a pooler gives to the next transaction. */
const timeoutsThrough = (connectionString: string) =>
  withClient(connectionString, async (client) => {
    const { rows } = await client.query<{ timeouts: string[] }>(
      `select array[current_setting('statement_timeout'), current_setting('lock_timeout'),
        current_setting('idle_in_transaction_session_timeout')] as timeouts`,
    );
    return rows[0]?.timeouts;
  });

// Broke: the migration's session lock stayed in a backend of the pooler, so that the next start waited forever; and
// that backend had no time-outs, whoever got it.
test('starts one after another and at once leave neither a lock nor an open time-out in a pooler', async () => {
  const direct = await anEmptyDatabase();
  const { connectionString } = await aTransactionPooler(direct, { backendCount: 3 });
  await migrate({ connectionString });
  for (let start = 0; start < 3; start += 1) expect(await migrate({ connectionString })).toEqual([]);
  const starts = await Promise.all(Array.from({ length: 6 }, () => migrate({ connectionString })));
  expect(starts.flat()).toEqual([]);
  expect(await heldLocks(direct)).toEqual([]);
  for (let look = 0; look < 6; look += 1)
    expect(await timeoutsThrough(connectionString)).toEqual(['15s', '1200ms', '15s']);
});

// Broke: the backends that waited for the first migration were older than the role's time-outs.
test('of first starts at once through a pooler one makes each thing, and every session that is left has the time-outs', async () => {
  const direct = await anEmptyDatabase();
  const { connectionString, backendPids } = await aTransactionPooler(direct, { backendCount: 3 });
  const before = backendPids();
  const applied = await Promise.all(Array.from({ length: 8 }, () => migrate({ connectionString })));
  expect(applied.flat().toSorted()).toEqual([...new Set(applied.flat())].toSorted());
  expect(applied.flat()).toContain(SCHEMA_NAME);
  await expect.poll(() => backendPids().filter((pid) => !before.includes(pid)).length).toBe(3);
  const sessions = await Promise.all(Array.from({ length: 3 }, () => timeoutsThrough(connectionString)));
  expect(sessions).toEqual(sessions.map(() => ['15s', '1200ms', '15s']));
  expect(await heldLocks(direct)).toEqual([]);
});

// Without it the next start would wait forever: a failed transaction cannot release a lock of its session.
test('a migration that fails leaves no lock in the session', async () => {
  const direct = await anEmptyDatabase();
  const { connectionString } = await aTransactionPooler(direct);
  await withClient(direct, (client) => client.query('create table account (id integer)'));
  await expect(migrate({ connectionString })).rejects.toThrow('already exists');
  expect(await heldLocks(direct)).toEqual([]);
  await withClient(direct, (client) => client.query('drop table account'));
  expect((await migrate({ connectionString })).length).toBeGreaterThan(0);
});

// Without it the service would need a direct connection, which the configuration page says it does not.
test('a store works through a pooler', async () => {
  const { connectionString } = await aTransactionPooler(await anEmptyDatabase(), { backendCount: 2 });
  await migrate({ connectionString });
  const store = await openStore({ connectionString, encryptionKey: createMasterKey('k1') });
  const counts = await Promise.all(
    Array.from({ length: 20 }, () =>
      store.db.transaction().execute((trx) => sql`select count(*)::int as count from request`.execute(trx)),
    ),
  );
  await store.close();
  expect(counts.map(({ rows }) => rows)).toEqual(counts.map(() => [{ count: 0 }]));
});

// Broke: LISTEN stayed in a backend of the pooler, which then sent its notifications to whichever client had it.
test('through a pooler no process listens, and why it is not woken is reported', async () => {
  const direct = await anEmptyDatabase();
  const { connectionString } = await aTransactionPooler(direct);
  let onPooled: () => void = () => undefined;
  const pooled = new Promise<void>((resolve) => (onPooled = resolve));
  let wakeCount = 0;
  const listener = listen(connectionString, { work_due: () => (wakeCount += 1) }, onPooled);
  await pooled;
  await listener.close();
  const channels = await withClient(connectionString, async (client) => {
    return (await client.query('select pg_listening_channels()')).rows;
  });
  expect([channels, wakeCount]).toEqual([[], 0]);
});
