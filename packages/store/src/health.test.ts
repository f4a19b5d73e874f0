import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openTestStores } from '../test/ground/open-test-stores.ts';
import { measureSnapshots } from './index.ts';

const { connectionString, store } = await openTestStores();

// Without it nobody would see why claims take longer by the second.
test('returns for how long a transaction has held its snapshot', async () => {
  expect(await measureSnapshots(store)).toEqual({ seconds: 0, session: null });
  const holder = new pg.Client({ connectionString });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('begin isolation level repeatable read');
  await holder.query('select');
  await expect
    .poll(() => measureSnapshots(store))
    .toMatchObject({
      seconds: expect.any(Number),
      session: expect.stringMatching(/^pid \d+, .*idle in transaction$/),
    });
  await holder.query('rollback');
  expect(await measureSnapshots(store)).toEqual({ seconds: 0, session: null });
});
