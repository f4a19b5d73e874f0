import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { checkDatabase, isDatabaseUnavailable, openStore } from '../index.ts';

// Without its class, each of these would be a 500 that tells a client to give up, where 503 tells it to retry.

const { store, open, sql: peek, connectionString, encryptionKey } = await openTestStores();
const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (err: unknown) => err,
  );

test('a server that is not there is unavailable', async () => {
  const nowhere = new URL(connectionString);
  nowhere.port = '1';
  expect(
    isDatabaseUnavailable(await errorOf(openStore({ connectionString: nowhere.href, encryptionKey }))),
  ).toBe(true);
});

test('a host name that does not resolve is unavailable', async () => {
  const nowhere = new URL(connectionString);
  nowhere.hostname = 'database.invalid';
  expect(
    isDatabaseUnavailable(await errorOf(openStore({ connectionString: nowhere.href, encryptionKey }))),
  ).toBe(true);
});

// Broke: with several hosts, of which none let anybody in, the calls of a failover were 500.
test('hosts that accept a connection and say nothing are unavailable', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const hosts = `postgres://nobody:nothing@127.0.0.1:${port},127.0.0.1:${port}/nothing`;
  expect(isDatabaseUnavailable(await errorOf(openStore({ connectionString: hosts, encryptionKey })))).toBe(
    true,
  );
});

test('a terminated backend is unavailable', async () => {
  const err = await errorOf(sql`select pg_terminate_backend(pg_backend_pid())`.execute(store.db));
  expect(isDatabaseUnavailable(err)).toBe(true);
});

test.each(
  [
    ['08006', '28000', '28P01', '3D000', '40001', '53300', '53100', '54000', '55000', '57P01', '57P03'],
    ['58000', '58030', '58P01'],
  ].flat(),
)('SQLSTATE %s is unavailable', async (code) => {
  const raised = sql.raw(`do $$ begin raise sqlstate '${code}'; end $$`).execute(store.db);
  expect(isDatabaseUnavailable(await errorOf(raised))).toBe(true);
});

test('a lock not had in time is unavailable', async () => {
  await store.db.transaction().execute(async (trx) => {
    await sql`lock table request`.execute(trx);
    const other = store.db.transaction().execute(async (second) => {
      await sql`set local lock_timeout = 20`.execute(second);
      await sql`select from request`.execute(second);
    });
    expect(isDatabaseUnavailable(await errorOf(other))).toBe(true);
  });
});

test('a statement cut by its time-out is unavailable', async () => {
  const cut = store.db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 20`.execute(trx);
    await sql`select pg_sleep(60)`.execute(trx);
  });
  expect(isDatabaseUnavailable(await errorOf(cut))).toBe(true);
});

test('a transaction ended for idling is unavailable', async () => {
  const idle = store.db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid from
      set_config('idle_in_transaction_session_timeout', '20', true)`.execute(trx);
    await expect.poll(() => peek('select from pg_stat_activity where pid = $1', [rows[0]?.pid])).toEqual([]);
    await sql`select 1`.execute(trx);
  });
  expect(isDatabaseUnavailable(await errorOf(idle))).toBe(true);
});

test('an exhausted pool is unavailable before a connection comes free', async () => {
  const small = await open({ connectionCountMax: 1 });
  await small.db.connection().execute(async () => {
    expect(isDatabaseUnavailable(await errorOf(checkDatabase(small)))).toBe(true);
  });
});

test('a deadlock is unavailable: the same call may pass next time', async () => {
  const locks = (first: number, second: number) =>
    store.db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${first}::int, 1)`.execute(trx);
      await expect
        .poll(
          async () =>
            (await peek(`select from pg_locks where locktype = 'advisory' and granted and objid = 1`)).length,
        )
        .toBe(2);
      await sql`select pg_advisory_xact_lock(${second}::int, 1)`.execute(trx);
    });
  const settled = await Promise.allSettled([locks(1, 2), locks(2, 1)]);
  const reasons = settled.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  expect(reasons).toHaveLength(1);
  expect(reasons.every(isDatabaseUnavailable)).toBe(true);
});

test('a closed store is unavailable', async () => {
  const other = await open();
  await checkDatabase(other);
  await other.close();
  expect(isDatabaseUnavailable(await errorOf(checkDatabase(other)))).toBe(true);
});

test('an error that one of these caused is unavailable', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  expect(isDatabaseUnavailable(new Error('The request was not stored.', { cause }))).toBe(true);
});

// Without these a bug would look like an outage, and clients would retry it forever.
test('what would fail again is not unavailable', async () => {
  const duplicate = sql`insert into master_key_check select * from master_key_check`.execute(store.db);
  expect(isDatabaseUnavailable(await errorOf(duplicate))).toBe(false);
  const foreign = sql`insert into idempotency_key values ('acct_x', '', '', 'req_x')`.execute(store.db);
  expect(isDatabaseUnavailable(await errorOf(foreign))).toBe(false);
  expect(isDatabaseUnavailable(await errorOf(sql`select nonsense`.execute(store.db)))).toBe(false);
  expect(isDatabaseUnavailable(new TypeError('x is not a function'))).toBe(false);
  expect(isDatabaseUnavailable('ECONNREFUSED')).toBe(false);
  expect(isDatabaseUnavailable(undefined)).toBe(false);
});
