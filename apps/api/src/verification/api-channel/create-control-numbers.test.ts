import { randomBytes } from 'node:crypto';
import { openStore } from '@insurance-verification/store';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { expect, onTestFinished, test } from 'vitest';
import { rows } from '../../../test/rows.ts';
import { createControlNumbers } from './create-control-numbers.ts';

async function aStore() {
  const { connectionString } = await createTestDatabase();
  const store = await openStore({
    connectionString,
    encryptionKey: `k1:${randomBytes(32).toString('base64')}`,
  });
  onTestFinished(() => store.close());
  return { store, connectionString };
}

// Without it two inquiries could share a number, and a payer would take the second for the first.
test('no two callers get the same number, over several blocks and two processes', async () => {
  const { store } = await aStore();
  const [one, other] = [createControlNumbers(store), createControlNumbers(store)];
  const numbers = await Promise.all(Array.from({ length: 240 }, (_, index) => (index % 2 ? one() : other())));
  expect(new Set(numbers).size).toBe(240);
});

// A database that is away for a moment must not end the channel for good.
test('a block that could not be taken is taken by the next caller', async () => {
  const { store, connectionString } = await aStore();
  const next = createControlNumbers(store);
  await rows(connectionString, 'alter sequence x12_control_number rename to elsewhere');
  await expect(Promise.all([next(), next()])).rejects.toThrow();
  await rows(connectionString, 'alter sequence elsewhere rename to x12_control_number');
  expect(await next()).toBeGreaterThan(0);
});
