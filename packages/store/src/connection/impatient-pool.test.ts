import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { aSwallowingProxy } from '../../test/ground/swallowing-proxy.ts';
import { checkDatabase } from '../index.ts';
import { clientFor } from './client-for.ts';
import { createSemaphore, guardConnection, impatientPool } from './impatient-pool.ts';
import { isDatabaseUnavailable } from './is-database-unavailable.ts';

const { open, connectionString } = await openTestStores();

// Without returning it, each caller who gave up would cost the pool a connection, until none is left.
test('a caller who gave up waiting leaves the connection to the next', async () => {
  const small = await open({ connectionCountMax: 1 });
  await small.db.connection().execute(async () => {
    const refused = await Promise.allSettled([checkDatabase(small), checkDatabase(small)]);
    for (const result of refused)
      expect(result).toEqual({ status: 'rejected', reason: expect.toSatisfy(isDatabaseUnavailable) });
  });
  await checkDatabase(small);
  await Promise.all([checkDatabase(small), checkDatabase(small)]);
});

// Broke: all who asked in one tick saw the one idle connection, so the others waited as long as opening one may take,
// and an overloaded service answered a call after 2.4 s.
test('of several who ask at once for one idle connection the others wait one turn', async () => {
  const pool = impatientPool(new pg.Pool({ connectionString, max: 1, connectionTimeoutMillis: 2_000 }));
  onTestFinished(() => pool.end());
  (await pool.connect()).release();
  const [first, ...others] = await Promise.allSettled([pool.connect(), pool.connect(), pool.connect()]);
  if (first?.status === 'fulfilled') first.value.release();
  expect(first?.status).toBe('fulfilled');
  for (const other of others)
    expect(other).toEqual({
      status: 'rejected',
      reason: expect.objectContaining({ message: 'No connection came free.' }),
    });
});

async function aGuardedPool(silenceMsMax: number) {
  const proxy = await aSwallowingProxy(inject('testServer').adminConnectionString);
  const pool = new pg.Pool({ Client: clientFor(proxy.connectionString), max: 1 });
  pool.on('connect', (client) => guardConnection(client, silenceMsMax));
  pool.on('error', () => undefined);
  onTestFinished(() => pool.end());
  return { pool, proxy };
}

// Without it (fault 6) a dead connection went back to the pool after 17 s and cost every next caller 17 s more.
test('a half-open connection fails the statement as unavailable and is replaced', async () => {
  const { pool, proxy } = await aGuardedPool(300);
  await pool.query('select 1');
  proxy.swallow();
  const failure: unknown = await pool.query('select 2').catch((err: unknown) => err);
  expect(isDatabaseUnavailable(failure)).toBe(true);
  expect((await pool.query('select 3 as three')).rows).toEqual([{ three: 3 }]);
});

// Without it a transaction on a half-open connection would wait twice: for its statement and for its rollback.
test('a half-open connection fails what follows on it at once', async () => {
  const { pool, proxy } = await aGuardedPool(300);
  const client = await pool.connect();
  proxy.swallow();
  await expect(client.query('select 1')).rejects.toThrow('silent');
  await expect(client.query('rollback')).rejects.toThrow('connection error');
  client.release();
  expect(pool.totalCount).toBe(0);
});

// Without it a slow statement, which the server's own time-out would end, might be cut while it works.
test('a connection that answers in time lives on', async () => {
  const { pool } = await aGuardedPool(2_000);
  await pool.query('select pg_sleep(0.05)');
  await pool.query('select pg_sleep(0.05)');
  expect(pool.totalCount).toBe(1);
});

// Without it fifty concurrent claims would hold every connection of the process and collide.
test('so many run at once, in the order they came, and a failure frees its place', async () => {
  const takeTurn = createSemaphore(2);
  const running = new Set<number>();
  let most = 0;
  const order: number[] = [];
  const results = await Promise.allSettled(
    [0, 1, 2, 3, 4, 5].map((index) =>
      takeTurn(async () => {
        order.push(index);
        running.add(index);
        most = Math.max(most, running.size);
        await new Promise((resolve) => setImmediate(resolve));
        running.delete(index);
        if (index % 2) throw new Error('failed');
        return index;
      }),
    ),
  );
  expect(order).toEqual([0, 1, 2, 3, 4, 5]);
  expect(most).toBe(2);
  expect(results.map(({ status }) => status)).toEqual(
    Array.from({ length: 6 }, (_, index) => (index % 2 ? 'rejected' : 'fulfilled')),
  );
});

// Without it a flood would grow a queue whose tail is served when its callers have long gone.
test('who waits for too long gives up, and holds up no later one', async () => {
  const takeTurn = createSemaphore(1, 20);
  const { promise: working, resolve: finish } = Promise.withResolvers<void>();
  const first = takeTurn(() => working);
  await expect(takeTurn(async () => 'never')).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  const third = takeTurn(async () => 'third');
  finish();
  await first;
  expect(await third).toBe('third');
  expect(await takeTurn(async () => 'fourth')).toBe('fourth');
});
