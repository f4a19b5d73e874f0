import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestStores } from '../test/ground/open-test-stores.ts';
import { checkDatabase } from './health.ts';
import { isDatabaseUnavailable, openStore } from './index.ts';

const { store, open, sql: peek, encryptionKey } = await openTestStores();
const endBackends = () =>
  peek(`select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'insurance-verification'`);

// Without it (fault 9) a restart of the database would end every process that holds an idle connection.
test('an idle connection that dies is reported and replaced, the process lives', async () => {
  const lost: Error[] = [];
  const other = await open({ onConnectionLost: (err) => lost.push(err) });
  await checkDatabase(other);
  await endBackends();
  await expect.poll(() => lost.length).toBe(2); // its connection, and the one for data keys
  await checkDatabase(other);
});

// Without it a store without an error listener would end the process.
test('an idle connection that dies unheard ends nothing', async () => {
  const other = await open();
  await Promise.all([checkDatabase(other), checkDatabase(other)]);
  await endBackends();
  await expect
    .poll(() =>
      checkDatabase(other).then(
        () => 'up',
        () => 'down',
      ),
    )
    .toBe('up');
});

// Without it (fault 4) a connection that dies between two statements of a transaction would end the process.
test('a connection that dies inside a transaction fails only that transaction', async () => {
  const failed = store.db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    const pid = rows[0]?.pid;
    await peek('select pg_terminate_backend($1)', [pid]);
    await expect
      .poll(async () => (await peek('select from pg_stat_activity where pid = $1', [pid])).length)
      .toBe(0);
    await sql`select 1`.execute(trx);
  });
  expect(isDatabaseUnavailable(await failed.catch((err: unknown) => err))).toBe(true);
  await checkDatabase(store);
});

// Without it a closed store would keep the process alive, or answer as if it were open.
test('a closed store leaves no connection and answers nothing', async () => {
  const other = await open();
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(other.db);
  await other.close();
  await expect(checkDatabase(other)).rejects.toThrow();
  await expect
    .poll(async () => (await peek('select from pg_stat_activity where pid = $1', [rows[0]?.pid])).length)
    .toBe(0);
});

// Without it a store that failed to open would keep its process alive.
test('a store that cannot open leaves no connection', async () => {
  const url = new URL('postgres://nobody:wrong@127.0.0.1:1/none');
  await expect(openStore({ connectionString: url.href, encryptionKey })).rejects.toThrow('ECONNREFUSED');
  await expect(openStore({ connectionString: url.href, encryptionKey: 'not a key' })).rejects.toThrow(
    TypeError,
  );
});

// Without it the first delivery would not wait as long as the schedule says.
test('the first delivery delay is 0 unless given', async () => {
  expect(store.firstDeliveryDelaySeconds).toBe(0);
  expect((await open({ firstDeliveryDelaySeconds: 5 })).firstDeliveryDelaySeconds).toBe(5);
});
