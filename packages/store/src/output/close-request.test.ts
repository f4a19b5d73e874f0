import { expect, test } from 'vitest';
import { accessLines } from '../../test/ground/access-lines.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { aFinishedRequest, anAccount, claimFor, intake } from '../../test/ground/stages.ts';
import { theRequest, theDeliveries } from '../../test/ground/the-stored.ts';
import { closeRequest } from '../index.ts';
import { issueId } from '../issued-id.ts';

const stores = await openTestStores();
const { store, rival } = stores;

const REASON = 'withdrawn';

// Without it a request nobody can verify would stay pending forever, and its receiver would wait.
test('an unfinished request ends with the reason, and its receiver is notified', async () => {
  const caller = await anAccount(store);
  const { request_id: requestId } = await intake(store, caller);
  const answer = await closeRequest(store, { caller, requestId, reason: REASON });
  if (answer.kind !== 'closed') throw new Error(answer.kind);
  const { request: closed } = answer;
  expect(closed).toMatchObject({ request_id: requestId, state: 'error_verifying', error_reason: REASON });
  expect(await theRequest(store, caller, requestId)).toEqual(closed);
  const { message } = await claimFor(store, requestId);
  const webhook: unknown = JSON.parse(message?.body.toString('utf8') ?? '');
  expect(webhook).toEqual({ request: closed, insurance_data: [] });
});

// Without it closing would overwrite a delivered result.
test('a finished request is not touched', async () => {
  const caller = await anAccount(store);
  const { request_id: requestId } = await aFinishedRequest(store, caller);
  const before = await theRequest(store, caller, requestId);
  expect(await closeRequest(store, { caller, requestId, reason: REASON })).toEqual({ kind: 'finished' });
  expect(await theRequest(store, caller, requestId)).toEqual(before);
});

// Without it one clinic could end another's verification; if too strict, an operator could end none.
test('another account closes it only across accounts', async () => {
  const [owner, operator] = [await anAccount(store), await anAccount(store, { kind: 'platform' })];
  const { request_id: requestId } = await intake(store, owner);
  const closing = { caller: operator, requestId, reason: REASON };
  const own = { ...closing, caller: { ...operator, acrossAccounts: false } };
  expect(await closeRequest(store, own)).toEqual({ kind: 'not_found' });
  expect((await theRequest(store, owner, requestId)).state).toBe('pending');
  expect(await closeRequest(store, closing)).toMatchObject({
    request: { state: 'error_verifying' },
  });
  expect(await accessLines(stores, operator)).toEqual([['requests.close', requestId]]);
});

// Without it a malformed id would be a 500.
test.each(['', '\0', issueId('req'), issueId('held')])('%j is not found', async (requestId) => {
  const caller = await anAccount(store);
  const closing = { caller: { ...caller, acrossAccounts: true }, requestId, reason: REASON };
  expect(await closeRequest(store, closing)).toEqual({ kind: 'not_found' });
});

// Without it a double click would send two webhooks.
test('of ten closings at once one closes', async () => {
  const caller = await anAccount(store);
  const { request_id: requestId } = await intake(store, caller);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      closeRequest(index % 2 ? store : rival, { caller, requestId, reason: REASON }),
    ),
  );
  expect(answers.filter(({ kind }) => kind === 'finished')).toHaveLength(9);
  expect(await theDeliveries(store, caller, requestId)).toHaveLength(1);
});
