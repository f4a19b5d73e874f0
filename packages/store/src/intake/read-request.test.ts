import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { accessLines } from '../../test/ground/access-lines.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { anAccount, intake, submit } from '../../test/ground/stages.ts';
import { theRequest } from '../../test/ground/the-stored.ts';
import { getRequest } from '../index.ts';
import { issueId } from '../issued-id.ts';

const stores = await openTestStores();
const { store, sql } = stores;

// Without it one clinic would read another clinic's patient.
test('another account sees nothing, and leaves no line', async () => {
  const [owner, platform] = [await anAccount(store), await anAccount(store, { kind: 'platform' })];
  const other = { ...platform, acrossAccounts: false };
  const { request_id: requestId } = await intake(store, owner);
  expect(await getRequest(store, { caller: other, requestId })).toEqual({ kind: 'not_found' });
  expect(await accessLines(stores, other)).toEqual([]);
});

// Without it a malformed id would reach the database, where NUL is an error and so a 500.
test.each(['', '\0', 'req_', `req_${'0'.repeat(25)}\0`, '\ud800', issueId('msg'), issueId('req')])(
  '%j is no request',
  async (requestId) => {
    const caller = await anAccount(store);
    expect(await getRequest(store, { caller, requestId })).toEqual({ kind: 'not_found' });
  },
);

// Without it nobody would know who looked at a patient.
test('a read is in the access log', async () => {
  const caller = await anAccount(store);
  const { request_id: requestId } = await intake(store, caller);
  await getRequest(store, { caller, requestId });
  expect(await accessLines(stores, caller)).toEqual([
    ['requests.create', requestId],
    ['requests.get', requestId],
  ]);
});

// Without it a reason in a verifier's own words would be altered.
test('the reason of a failed verification is shown exactly', async () => {
  const caller = await anAccount(store);
  const request = await intake(store, caller);
  const errorReason = 'said "no"\0\ud800🦷';
  await submit(store, anOutput(request, { state: 'error_verifying', error_reason: errorReason }));
  expect(await theRequest(store, caller, request.request_id)).toMatchObject({
    state: 'error_verifying',
    error_reason: errorReason,
  });
});

// Without it a failed delivery would hide why the verification failed, or vice versa.
test('the reason of the delivery is shown while it is exhausted, then the outcome’s again', async () => {
  const caller = await anAccount(store);
  const request = await intake(store, caller);
  await submit(store, anOutput(request, { state: 'error_verifying', error_reason: 'member_not_found' }));
  const setDelivery = (delivery: string, reason: string | null) =>
    sql('update request set delivery = $2, delivery_reason = $3 where id = $1', [
      request.request_id,
      delivery,
      reason,
    ]);
  await setDelivery('exhausted', 'webhook_gone');
  expect(await theRequest(store, caller, request.request_id)).toMatchObject({
    state: 'error_sending_webhook',
    error_reason: 'webhook_gone',
  });
  await setDelivery('delivered', null);
  expect(await theRequest(store, caller, request.request_id)).toMatchObject({
    state: 'error_verifying',
    error_reason: 'member_not_found',
  });
});

// Without it removing a payer from the configuration would make old requests unreadable.
test('a request of a payer that is configured no more still reads', async () => {
  const caller = await anAccount(store);
  const { request_id: requestId } = await intake(
    store,
    caller,
    aRequest({ payer_info: { name: 'A plan of last year' } }),
  );
  const { input } = await theRequest(store, caller, requestId);
  expect(input.payer_info.name).toBe('A plan of last year');
});
