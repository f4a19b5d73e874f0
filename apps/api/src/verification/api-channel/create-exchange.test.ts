import { randomBytes } from 'node:crypto';
import {
  insertRequests,
  openStore,
  type PlainX12Exchange,
  readX12Exchanges,
} from '@insurance-verification/store';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { expect, onTestFinished, test } from 'vitest';
import { rows } from '../../../test/rows.ts';
import { aRequestFor } from '../../../test/verification/a-connection.ts';
import { aLiveAccount } from '../../../test/verification/a-live-account.ts';
import { createControlNumbers, createExchangeKeeper } from './create-exchange.ts';

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

// Without it an answer that came with others, or a long one, would be lost as evidence.
test('exchanges that end together are each kept, long answers too', async () => {
  const { store, caller } = await aLiveAccount();
  const newRequests = Array.from({ length: 70 }, () => ({
    caller,
    payerId: 'plan-1',
    input: aRequestFor('W123456789'),
    idempotencyKey: null,
  }));
  const stored = await insertRequests(store, newRequests);
  const exchanges = stored.map((one, index): PlainX12Exchange => {
    if (one.kind !== 'created') throw new Error(one.kind);
    return {
      requestId: one.request.request_id ?? '',
      accountId: caller.accountId,
      payerId: 'plan-1',
      controlNumber: index + 1,
      startedAt: new Date('2026-11-21T09:30:00Z'),
      durationMs: 812,
      statusCode: 200,
      errorReason: null,
      payerCodes: [],
      inquiry: `ISA*${index}`,
      answer: Buffer.alloc(index % 10 === 0 ? 70_000 : 100, `answer ${index} `),
    };
  });
  const keep = createExchangeKeeper(store);
  await Promise.all(exchanges.map(keep));
  for (const exchange of exchanges)
    expect(await readX12Exchanges(store, exchange.requestId)).toEqual([exchange]);
});
