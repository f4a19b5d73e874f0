import {
  createMasterKey,
  DEFAULT_ACCOUNT_ID,
  ensureDefaultAccount,
  openStore,
  type NewRequest,
  type Store,
} from '@insurance-verification/store';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createRequestInserter } from '../../src/intake/create-request-inserter.ts';
import { aDatabaseGate } from '../a-database-gate.ts';
import { aRequest } from '../a-request.ts';
import { aTableLock } from '../a-table-lock.ts';
import { rows } from '../rows.ts';

async function aStore(databaseUrl?: string): Promise<{ store: Store; databaseUrl: string }> {
  const connectionString = databaseUrl ?? (await createTestDatabase()).connectionString;
  const store = await openStore({ connectionString, encryptionKey: createMasterKey('k1') });
  onTestFinished(() => store.close());
  await ensureDefaultAccount(store, {
    apiKey: undefined,
    webhookSecret: `whsec_${'A'.repeat(32)}`,
    createWebhookSecret: () => '',
  });
  return { store, databaseUrl: connectionString };
}

const caller = { keyId: 'key_00000000000000000000000000', accountId: DEFAULT_ACCOUNT_ID };
const aNewRequest = (changes: Partial<NewRequest> = {}): NewRequest => ({
  caller,
  payerId: 'p1',
  input: aRequest(),
  idempotencyKey: null,
  ...changes,
});

// Group commit: what arrives while statements run shares the next one, so a flush to disk serves many.
test('requests that arrive while a statement runs are stored together by the next, each with its own answer', async () => {
  const { store, databaseUrl } = await aStore();
  const insert = createRequestInserter(store);
  const lock = await aTableLock(databaseUrl, 'request');
  const inserted = Array.from({ length: 50 }, (_, index) => insert(aNewRequest({ payerId: `p${index}` })));
  await lock.waitedForBy(1);
  await lock.release();
  const answers = await Promise.all(inserted);
  const stored = await rows<{ id: string; payer_id: string; xmin: string }>(
    databaseUrl,
    'select id, payer_id, xmin::text from request',
  );
  expect(stored).toHaveLength(50);
  expect(new Set(stored.map(({ xmin }) => xmin)).size).toBe(2);
  const payerById = new Map(stored.map(({ id, payer_id }) => [id, payer_id]));
  for (const [index, answer] of answers.entries()) {
    expect(answer.kind === 'created' && payerById.get(answer.request.request_id ?? '')).toBe(`p${index}`);
  }
});

test('a request that finds no statement under way goes at once and alone', async () => {
  const { store, databaseUrl } = await aStore();
  const insert = createRequestInserter(store);
  await insert(aNewRequest());
  await insert(aNewRequest());
  const [row] = await rows<{ count: number }>(
    databaseUrl,
    'select count(distinct xmin::text)::int as count from request',
  );
  expect(row?.count).toBe(2);
});

// Whoever waits must hear of the failure: an answer that never comes holds the client's connection for ever.
test('a failed statement is told to every waiter, and the next one works', async () => {
  const { store, databaseUrl } = await aStore();
  const insert = createRequestInserter(store);
  const nobody = { ...caller, accountId: 'acct_01jdabcdefghjkmnpqrstvwxyz' };
  const lock = await aTableLock(databaseUrl, 'request');
  const outcomes = Promise.allSettled([
    insert(aNewRequest()),
    insert(aNewRequest()),
    insert(aNewRequest({ caller: nobody })),
    insert(aNewRequest()),
  ]);
  await lock.waitedForBy(1);
  await lock.release();
  // The first has a statement of its own; the other three share one.
  expect((await outcomes).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
    'rejected',
  ]);
  expect(await insert(aNewRequest())).toMatchObject({ kind: 'created' });
  expect(await rows(databaseUrl, 'select id from request')).toHaveLength(2);
});

// One after the other they would each wait out the same two seconds, and the last client for minutes.
test('while the database is away everyone who waits is told at once', async () => {
  const gate = await aDatabaseGate();
  const { store } = await aStore(gate.databaseUrl);
  const insert = createRequestInserter(store);
  const lock = await aTableLock(gate.directUrl, 'request');
  const outcomes = Promise.allSettled(Array.from({ length: 200 }, () => insert(aNewRequest())));
  await lock.waitedForBy(1);
  await gate.shut();
  expect(new Set((await outcomes).map(({ status }) => status))).toEqual(new Set(['rejected']));
  await lock.release();
  await gate.open();
  expect(await insert(aNewRequest())).toMatchObject({ kind: 'created' });
});
