import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { checkDatabase, isDatabaseUnavailable } from '../../index.ts';
import { impatientPool } from './impatient-pool.ts';

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
