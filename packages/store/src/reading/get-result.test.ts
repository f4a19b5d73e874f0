import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { accessLines } from '../../test/ground/access-lines.ts';
import { anEntry } from '../../test/ground/an-entry.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { aFinishedRequest, anAccount, claimFor, finish, intake, submit } from '../../test/ground/stages.ts';
import { theResult } from '../../test/ground/the-stored.ts';
import { applyHeldOutput, getResult } from '../index.ts';
import { issueId } from '../issued-id.ts';

const stores = await openTestStores();
const { store } = stores;

// Without it a poller would take an empty answer for a result.
test('a request without a result is not ready, and leaves no line', async () => {
  const caller = await anAccount(store);
  const request = await intake(store, caller);
  expect(await getResult(store, { caller, requestId: request.request_id })).toEqual({ kind: 'not_ready' });
  expect(await accessLines(stores, caller)).toEqual([['requests.create', request.request_id]]);
});

// Without it one clinic would read another clinic's result.
test('another account and malformed ids get nothing', async () => {
  const [owner, platform] = [await anAccount(store), await anAccount(store, { kind: 'platform' })];
  const other = { ...platform, acrossAccounts: false };
  const request = await aFinishedRequest(store, owner);
  const none = { kind: 'not_found' };
  expect(await getResult(store, { caller: other, requestId: request.request_id })).toEqual(none);
  for (const requestId of ['', '\0', issueId('req'), issueId('msg')])
    expect(await getResult(store, { caller: owner, requestId })).toEqual(none);
});

// Without it a receiver whose webhook failed could not fetch the result, or would read an old state.
test('the result shows the state as it is now', async () => {
  const caller = await anAccount(store);
  const request = await aFinishedRequest(store, caller);
  await finish(store, await claimFor(store, request.request_id), {
    outcome: 'gone',
    next: { kind: 'exhausted', reason: 'webhook_gone' },
  });
  expect(await theResult(store, caller, request.request_id)).toEqual({
    request: { ...request, state: 'error_sending_webhook', error_reason: 'webhook_gone' },
    insurance_data: [anEntry()],
  });
});

// Without it the replaced version would be read instead of the correction.
test('after a correction the newest version is the result', async () => {
  const caller = await anAccount(store);
  const request = await aFinishedRequest(store, caller);
  const held = await submit(
    store,
    anOutput(request, { state: 'error_verifying', error_reason: 'plan_ended', insurance_data: [] }),
  );
  if (held.kind !== 'held') throw new Error(held.kind);
  await applyHeldOutput(store, { caller, heldId: held.heldId });
  expect(await theResult(store, caller, request.request_id)).toMatchObject({
    request: { state: 'error_verifying', error_reason: 'plan_ended' },
    insurance_data: [],
  });
});

// Without it nobody would know who read a patient's coverage.
test('a read is in the access log', async () => {
  const caller = await anAccount(store);
  const request = await aFinishedRequest(store, caller);
  await getResult(store, { caller, requestId: request.request_id });
  expect((await accessLines(stores, caller)).at(-1)).toEqual(['requests.result', request.request_id]);
});
