import {
  createMasterKey,
  DEFAULT_ACCOUNT_ID,
  ensureDefaultAccount,
  openStore,
  type InsertedRequest,
  type NewRequest,
  type Store,
} from '@insurance-verification/store';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { aRequest } from '@insurance-verification/testing/a-request';
import { expect, onTestFinished, test } from 'vitest';
import { createRequestInserter } from '../../src/intake/create-request.ts';
import type { RequestInserter } from '../../src/procedure/context/app.ts';
import { aDatabaseGate } from '../a-database-gate.ts';
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
    createKey: null,
  });
  return { store, databaseUrl: connectionString };
}

const caller = {
  keyId: 'key_00000000000000000000000000',
  accountId: DEFAULT_ACCOUNT_ID,
  mode: 'live',
} as const;
const aNewRequest = (changes: Partial<NewRequest> = {}): NewRequest => ({
  caller,
  payerId: 'p1',
  input: aRequest(),
  idempotencyKey: null,
  ...changes,
});

/** Occupies the concurrent statements with one request each; they wait for the table's lock. */
async function occupy(insert: RequestInserter, lock: Awaited<ReturnType<typeof aTableLock>>) {
  const occupying: Promise<InsertedRequest>[] = [];
  for (let count = 1; count <= 2; count += 1) {
    occupying.push(insert(aNewRequest()));
    await lock.waitedForBy(count);
  }
  return occupying;
}

const statementCount = async (databaseUrl: string) =>
  (await rows<{ n: number }>(databaseUrl, 'select count(distinct xmin::text)::int as n from request'))[0]?.n;

// Group commit: requests that arrive while statements run share the next one, so one flush to disk serves many.
test('requests that arrive while statements run are stored together by the next, each with its own answer', async () => {
  const { store, databaseUrl } = await aStore();
  const insert = createRequestInserter(store, []);
  const lock = await aTableLock(databaseUrl, 'request');
  const occupying = await occupy(insert, lock);
  const inserted = Array.from({ length: 50 }, (_, index) => insert(aNewRequest({ payerId: `p${index}` })));
  await lock.release();
  const answers = await Promise.all(inserted);
  await Promise.all(occupying);
  expect(await statementCount(databaseUrl)).toBe(3);
  const stored = await rows<{ id: string; payer_id: string }>(
    databaseUrl,
    'select id, payer_id from request',
  );
  const payerById = new Map(stored.map(({ id, payer_id }) => [id, payer_id]));
  for (const [index, answer] of answers.entries()) {
    expect(answer.kind === 'created' && payerById.get(answer.request.request_id ?? '')).toBe(`p${index}`);
  }
});

test('requests of one turn of the event loop share a statement, and no later one is waited for', async () => {
  const { store, databaseUrl } = await aStore();
  const insert = createRequestInserter(store, []);
  await Promise.all([insert(aNewRequest()), insert(aNewRequest())]);
  expect(await statementCount(databaseUrl)).toBe(1);
  await insert(aNewRequest());
  expect(await statementCount(databaseUrl)).toBe(2);
});

// Every waiting caller must hear of the failure: a missing answer would hold the client's connection indefinitely.
test('a failed statement is reported only to the callers in it, and the next one works', async () => {
  const { store, databaseUrl } = await aStore();
  const insert = createRequestInserter(store, []);
  const nobody = { ...caller, accountId: 'acct_01jdabcdefghjkmnpqrstvwxyz' };
  const lock = await aTableLock(databaseUrl, 'request');
  const occupying = await occupy(insert, lock);
  const outcomes = Promise.allSettled([
    insert(aNewRequest()),
    insert(aNewRequest({ caller: nobody })),
    insert(aNewRequest()),
  ]);
  await lock.release();
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await Promise.all(occupying)).toHaveLength(2);
  expect(await insert(aNewRequest())).toMatchObject({ kind: 'created' });
  expect(await rows(databaseUrl, 'select id from request')).toHaveLength(3);
});

// One after the other, each would wait out the same two seconds, and the last client minutes.
test('while the database is away everyone who waits gets an answer at once', async () => {
  const gate = await aDatabaseGate();
  const { store } = await aStore(gate.databaseUrl);
  const insert = createRequestInserter(store, []);
  const lock = await aTableLock(gate.directUrl, 'request');
  const outcomes = Promise.allSettled(Array.from({ length: 200 }, () => insert(aNewRequest())));
  await lock.waitedForBy(1);
  await gate.shut();
  expect(new Set((await outcomes).map(({ status }) => status))).toEqual(new Set(['rejected']));
  await lock.release();
  await gate.open();
  expect(await insert(aNewRequest())).toMatchObject({ kind: 'created' });
});
