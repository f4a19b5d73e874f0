import { expect, test } from 'vitest';
import { accessLines } from '../../test/ground/access-lines.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { aFinishedRequest, anAccount, claimFor, finish, intake } from '../../test/ground/stages.ts';
import { theDeliveries } from '../../test/ground/the-stored.ts';
import { listDeliveries } from '../index.ts';
import { issueId } from '../issued-id.ts';

const stores = await openTestStores();
const { store } = stores;

// Without it a client could not see that its webhook is on its way.
test('a queued delivery shows when it is due, a request without a result has none', async () => {
  const caller = await anAccount(store);
  const [queued, waiting] = [await aFinishedRequest(store, caller), await intake(store, caller)];
  expect(await theDeliveries(store, caller, queued.request_id)).toEqual([
    {
      delivery_id: expect.stringMatching(/^msg_/),
      version: 1,
      status: 'pending',
      next_attempt_at: expect.any(String),
      paused_since: null,
      attempts: [],
    },
  ]);
  expect(await theDeliveries(store, caller, waiting.request_id)).toEqual([]);
});

// Without it one clinic could read the answer of another's receiver.
test('another account and malformed ids get nothing, and leave no line', async () => {
  const [owner, platform] = [await anAccount(store), await anAccount(store, { kind: 'platform' })];
  const other = { ...platform, acrossAccounts: false };
  const { request_id: requestId } = await aFinishedRequest(store, owner);
  for (const id of [requestId, '', '\0', issueId('req'), issueId('msg')]) {
    expect(await listDeliveries(store, { caller: other, requestId: id })).toEqual({ kind: 'not_found' });
  }
  expect(await accessLines(stores, other)).toEqual([]);
  await listDeliveries(store, { caller: owner, requestId });
  expect((await accessLines(stores, owner)).at(-1)).toEqual(['requests.deliveries', requestId]);
});

// Without it one snippet that is corrupt, or was moved here from another attempt, would hide all attempts.
test('a response snippet that does not open shows as none', async () => {
  const caller = await anAccount(store);
  const { request_id: requestId } = await aFinishedRequest(store, caller);
  const responseSnippet = Buffer.from('later');
  const retry = { outcome: 'timeout', next: { kind: 'retry', delaySeconds: 0 } } as const;
  await finish(store, await claimFor(store, requestId), { ...retry, responseSnippet });
  const claimed = await claimFor(store, requestId);
  await finish(store, claimed, { responseSnippet, startedAt: new Date('2026-01-02T03:04:05.678Z') });
  await stores.sql(
    `update delivery_attempt set response_snippet = first.response_snippet from delivery_attempt as first
     where delivery_attempt.delivery_id = $1 and delivery_attempt.number = 2
       and first.delivery_id = $1 and first.number = 1`,
    [claimed.deliveryId],
  );
  const [delivery] = await theDeliveries(store, caller, requestId);
  expect(delivery?.attempts.map((attempt) => [attempt.outcome, attempt.response_snippet])).toEqual([
    ['timeout', 'later'],
    ['succeeded', null],
  ]);
});
