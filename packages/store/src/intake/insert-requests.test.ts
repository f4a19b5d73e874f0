import { aPatient, aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test, vi } from 'vitest';
import { accessLines } from '../../test/ground/access-lines.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { anAccount, submit } from '../../test/ground/stages.ts';
import { theRequest } from '../../test/ground/the-stored.ts';
import { type Caller, createApiKey, insertRequests } from '../index.ts';
import { issueId } from '../issued-id.ts';
import type { NewRequest } from './insert-requests.ts';

vi.setConfig({ testTimeout: 30_000 });
const stores = await openTestStores();
const { store, rival, sql } = stores;

const aNewRequest = (caller: Caller, request: Partial<NewRequest> = {}): NewRequest => ({
  caller,
  payerId: 'plan-1',
  input: aRequest(),
  idempotencyKey: null,
  ...request,
});
const requestCount = async ({ accountId }: Caller) =>
  (await sql('select from request where account_id = $1', [accountId])).length;

// Without it a group commit could answer one client with another client's patient.
test('a list is answered in its order', async () => {
  const callers = [await anAccount(store), await anAccount(store)] as const;
  const names = Array.from({ length: 50 }, (_, index) => `Patient ${index}`);
  const inserted = await insertRequests(
    store,
    names.map((name, index) =>
      aNewRequest(callers[index % 2 === 0 ? 0 : 1], {
        input: aRequest({ patient_info: aPatient({ name }) }),
      }),
    ),
  );
  expect(
    inserted.map((answer) => answer.kind === 'created' && answer.request.input.patient_info.name),
  ).toEqual(names);
  expect(await Promise.all(callers.map(requestCount))).toEqual([25, 25]);
  expect(await insertRequests(store, [])).toEqual([]);
});

// Without it later reads would differ from the acknowledged answer.
test('the answer is what is stored, and is pending', async () => {
  const caller = await anAccount(store);
  const input = aRequest({ patient_info: aPatient({ name: 'a\0\ud800\u202e🦷' }) });
  const [inserted] = await insertRequests(store, [aNewRequest(caller, { input })]);
  if (inserted?.kind !== 'created') throw new Error('not created');
  expect(inserted.request).toEqual({
    request_id: expect.stringMatching(/^req_/),
    input,
    received_timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    state: 'pending',
    error_reason: null,
  });
  expect(await theRequest(rival, caller, inserted.request.request_id ?? '')).toEqual(inserted.request);
});

// Without it a client that lost the first answer would get another, or a second request.
test('a retry with the same key and body gets the first answer, also once the request is finished', async () => {
  const caller = await anAccount(store);
  const request = aNewRequest(caller, { idempotencyKey: 'order-1' });
  const [first] = await insertRequests(store, [request]);
  if (first?.kind !== 'created') throw new Error('not created');
  expect(await insertRequests(rival, [request])).toEqual([{ kind: 'replayed', request: first.request }]);
  await submit(
    store,
    anOutput(first.request, { state: 'error_verifying', error_reason: 'payer_unavailable' }),
  );
  expect(await insertRequests(store, [request])).toEqual([{ kind: 'replayed', request: first.request }]);
  expect(await requestCount(caller)).toBe(1);
});

// Without it a client that accidentally reuses a key would believe that its second patient is being verified.
test('the same key with another body stores nothing', async () => {
  const caller = await anAccount(store);
  await insertRequests(store, [aNewRequest(caller, { idempotencyKey: 'order-1' })]);
  const other = aNewRequest(caller, {
    idempotencyKey: 'order-1',
    input: aRequest({ patient_info: aPatient({ dob: '1999-09-09' }) }),
  });
  expect(await insertRequests(store, [other])).toEqual([{ kind: 'idempotency_key_reused' }]);
  expect(await requestCount(caller)).toBe(1);
});

// Without it one clinic could block another's key, or read its answer.
test('equal keys of two accounts do not meet', async () => {
  const callers = [await anAccount(store), await anAccount(store)];
  const inserted = await insertRequests(
    store,
    callers.map((caller) => aNewRequest(caller, { idempotencyKey: 'order-1' })),
  );
  expect(inserted.map(({ kind }) => kind)).toEqual(['created', 'created']);
});

// Without it the batch would fail when a client sends the same request twice at once.
test('equal keys in one list are one request', async () => {
  const caller = await anAccount(store);
  const same = aNewRequest(caller, { idempotencyKey: 'order-1' });
  const other = { ...same, input: aRequest({ patient_info: aPatient({ name: 'Other' }) }) };
  const kinds = (await insertRequests(store, [same, other, same])).map(({ kind }) => kind);
  expect(kinds).toEqual(['created', 'idempotency_key_reused', 'replayed']);
  expect(await requestCount(caller)).toBe(1);
});

// Without it (fault 13) a client that sends its retries together would get several verifications of one patient.
test('a hundred equal creates at once over two processes are one request', async () => {
  const caller = await anAccount(store);
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      insertRequests(index % 2 ? store : rival, [aNewRequest(caller, { idempotencyKey: 'order-1' })]),
    ),
  );
  const ids = new Set(answers.flat().map((answer) => 'request' in answer && answer.request.request_id));
  expect(ids.size).toBe(1);
  expect(answers.flat().filter(({ kind }) => kind === 'created')).toHaveLength(1);
  expect(await requestCount(caller)).toBe(1);
});

// Without it two processes with the same keys in their batches would deadlock, and one would fail.
test('lists with the same keys in opposite order do not deadlock', async () => {
  const caller = await anAccount(store);
  for (let round = 0; round < 25; round += 1) {
    const list = Array.from({ length: 40 }, (_, key) =>
      aNewRequest(caller, { idempotencyKey: `${round}-${key}` }),
    );
    await Promise.all([insertRequests(store, list), insertRequests(rival, list.toReversed())]);
  }
  expect(await requestCount(caller)).toBe(25 * 40);
});

// Without it half a batch could be stored and answered as failed, and its retries would create second requests.
test('a list that fails stores nothing of it', async () => {
  const caller = await anAccount(store);
  const list = [
    aNewRequest(caller, { idempotencyKey: 'a' }),
    aNewRequest(caller),
    aNewRequest(caller, { payerId: 'a\0b' }),
  ];
  await expect(insertRequests(store, list)).rejects.toThrow();
  expect(await requestCount(caller)).toBe(0);
  expect(await sql('select from idempotency_key where account_id = $1', [caller.accountId])).toEqual([]);
  expect(await accessLines(stores, caller)).toEqual([]);
});

// Without it a request could have no owner, and never be read.
test('a request of an account that is not there is not stored', async () => {
  const nobody = { keyId: issueId('key'), accountId: issueId('acct'), mode: 'live' } as const;
  await expect(insertRequests(store, [aNewRequest(nobody)])).rejects.toThrow('foreign key');
  expect(await requestCount(nobody)).toBe(0);
});

// Without it a request's account could be removed, making it unreadable.
test('the account of a stored request cannot be removed', async () => {
  const caller = await anAccount(store);
  await insertRequests(store, [aNewRequest(caller, { idempotencyKey: 'a' })]);
  const remove = () => sql('delete from account where id = $1', [caller.accountId]);
  await expect(remove()).rejects.toThrow('data_key_account_id_fkey');
  await createApiKey(store, {
    caller: { ...caller, acrossAccounts: true },
    accountId: caller.accountId,
    name: null,
    scopes: ['requests'],
    expiresAt: null,
    allowedCidrs: null,
  });
  await sql('delete from data_key where account_id = $1', [caller.accountId]);
  await expect(remove()).rejects.toThrow('api_key_account_id_fkey');
});

// Without it a retry could be answered with a request of another account: what refers to it names the request alone.
test('every idempotency key names a request of its account, however lists with it ended', async () => {
  const caller = await anAccount(store);
  const keyed = ['a', 'b', 'c'].map((idempotencyKey) => aNewRequest(caller, { idempotencyKey }));
  const broken = [...keyed, aNewRequest(caller, { payerId: 'a\0b' })];
  await Promise.allSettled([broken, keyed, keyed.slice(1)].map((list) => insertRequests(store, list)));
  expect(
    await sql(
      `select key.account_id, request.account_id as of_request from idempotency_key as key
       left join request on request.id = key.request_id where key.account_id = $1`,
      [caller.accountId],
    ),
  ).toEqual(keyed.map(() => ({ account_id: caller.accountId, of_request: caller.accountId })));
});

// Without it nobody could tell which key created a request, or who saw it again.
test('creating and replaying are in the access log, a refused reuse is not', async () => {
  const caller = await anAccount(store);
  const request = aNewRequest(caller, { idempotencyKey: 'order-1' });
  const [inserted] = await insertRequests(store, [request]);
  if (inserted?.kind !== 'created') throw new Error('not created');
  await insertRequests(store, [request]);
  await insertRequests(store, [
    { ...request, input: aRequest({ patient_info: aPatient({ name: 'Other' }) }) },
  ]);
  const line = ['requests.create', inserted.request.request_id];
  expect(await accessLines(stores, caller)).toEqual([line, line]);
});
