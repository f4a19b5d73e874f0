import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { aSwallowingProxy } from '../../../test/ground/swallowing-proxy.ts';
import { clientFor } from '../client/client-for.ts';
import { isDatabaseUnavailable } from '../is-database-unavailable.ts';
import { guardConnection } from './guard-connection.ts';

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
