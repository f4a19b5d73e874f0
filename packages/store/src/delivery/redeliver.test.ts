import { expect, test } from 'vitest';
import { accessLines } from '../../test/ground/access-lines.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { aFinishedRequest, anAccount, claimFor, finish, intake } from '../../test/ground/stages.ts';
import { theDeliveries, theRequest } from '../../test/ground/the-stored.ts';
import { redeliver } from '../index.ts';
import { issueId } from '../issued-id.ts';

const stores = await openTestStores();
const { store, rival } = stores;
const caller = await anAccount(store);

const exhausted = { outcome: 'timeout', next: { kind: 'exhausted', reason: 'webhook_exhausted' } } as const;
const retry = { outcome: 'timeout', next: { kind: 'retry', delaySeconds: 0 } } as const;
const stateOfRequest = async (requestId: string) => (await theRequest(store, caller, requestId)).state;

// Without it a receiver that was down for days could never get its results, or get them as other messages.
test('an exhausted message goes out again as it was, and stays exhausted until it arrives', async () => {
  const { request_id: requestId } = await aFinishedRequest(store, caller);
  const first = await claimFor(store, requestId);
  await finish(store, first, exhausted);
  expect(await redeliver(store, { caller, requestId })).toMatchObject({ kind: 'queued' });
  expect(await stateOfRequest(requestId)).toBe('error_sending_webhook');
  const second = await claimFor(store, requestId);
  expect(second).toMatchObject({
    deliveryId: first.deliveryId,
    version: 1,
    roundAttemptNumber: 1,
    claimsExhausted: false,
  });
  expect(second.message).toEqual(first.message);
  await finish(store, second, retry);
  expect(await stateOfRequest(requestId)).toBe('error_sending_webhook');
  await finish(store, await claimFor(store, requestId));
  expect(await stateOfRequest(requestId)).toBe('complete');
  const [delivery] = await theDeliveries(store, caller, requestId);
  expect(delivery?.attempts.map(({ number, outcome }) => [number, outcome])).toEqual([
    [1, 'timeout'],
    [2, 'timeout'],
    [3, 'succeeded'],
  ]);
});

// Without it a receiver that lost a message could not request it again.
test('a delivered message goes out again', async () => {
  const { request_id: requestId } = await aFinishedRequest(store, caller);
  const first = await claimFor(store, requestId);
  await finish(store, first);
  expect(await redeliver(store, { caller, requestId })).toMatchObject({ kind: 'queued' });
  expect(await stateOfRequest(requestId)).toBe('complete');
  expect((await claimFor(store, requestId)).message).toEqual(first.message);
});

// Without it an impatient client would restart the schedule, or duplicate a message that a worker is sending.
test('a delivery under way is left as it is, leased or waiting', async () => {
  const { request_id: requestId } = await aFinishedRequest(store, caller);
  expect(await redeliver(store, { caller, requestId })).toMatchObject({ kind: 'under_way' });
  const lease = await claimFor(store, requestId);
  expect(await redeliver(store, { caller, requestId })).toMatchObject({ kind: 'under_way' });
  expect(await finish(store, lease, exhausted)).toBe(true);
});

// Without it ten clicks would be ten rounds.
test('of ten at once one queues it', async () => {
  const { request_id: requestId } = await aFinishedRequest(store, caller);
  await finish(store, await claimFor(store, requestId), exhausted);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => redeliver(index % 2 ? store : rival, { caller, requestId })),
  );
  expect(answers.filter(({ kind }) => kind === 'queued')).toHaveLength(1);
});

// Without it a client would wait for the webhook of a result that does not exist.
test('a request without a result has nothing to deliver', async () => {
  const { request_id: requestId } = await intake(store, caller);
  expect(await redeliver(store, { caller, requestId })).toEqual({ kind: 'no_result' });
});

// Without it one clinic could trigger calls to another's receiver.
test('another account, and a malformed id, find nothing', async () => {
  const { request_id: requestId } = await aFinishedRequest(store, caller);
  expect(await redeliver(store, { caller: await anAccount(store), requestId })).toEqual({
    kind: 'not_found',
  });
  for (const id of ['', '\0', issueId('req'), issueId('msg')]) {
    expect(await redeliver(store, { caller, requestId: id })).toEqual({ kind: 'not_found' });
  }
});

// Without it nobody could tell who triggered the redelivery. Broke: the answer's request was a second line.
test('a redelivery answers the request as it is shown, and is one line of the access log', async () => {
  const asking = await anAccount(store);
  const { request_id: requestId } = await aFinishedRequest(store, asking);
  await finish(store, await claimFor(store, requestId));
  const redelivered = await redeliver(store, { caller: asking, requestId });
  expect((await accessLines(stores, asking)).slice(-2)).toEqual([
    ['requests.create', requestId],
    ['requests.redeliver', requestId],
  ]);
  expect(redelivered).toEqual({ kind: 'queued', request: await theRequest(store, asking, requestId) });
});
