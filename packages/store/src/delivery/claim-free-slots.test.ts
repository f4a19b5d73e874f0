import { aRequest } from '@insurance-verification/testing/a-request';
import { expect, test, vi } from 'vitest';
import { bulkDeliveries } from '../../test/ground/bulk-deliveries.ts';
import { deliveryQueue } from '../../test/ground/delivery-queue.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { aFinishedRequest, anAccount, aWebhookSecret, claimDue, claimFor } from '../../test/ground/stages.ts';
import { type Caller, claimDueDeliveries, type Lane, type FreeSlots } from '../index.ts';
import { LANE_PAGE_COUNT } from './claim-due-deliveries.ts';

vi.setConfig({ testTimeout: 30_000 });
const stores = await openTestStores();
const { store } = stores;
const queue = deliveryQueue(stores);
const secret = aWebhookSecret();
const caller = await anAccount(store, { webhookSecret: secret });

const claim = async (limit = 100) => (await claimDue(store, limit)).map(({ requestId }) => requestId);

// Without it a hung receiver, or one busy account, would occupy the workers and hold up everyone else.
test('a delivery without a free slot is skipped, and its claims do not count', async () => {
  await queue.empty();
  const busy = await anAccount(store);
  const finishFor = (account: Caller, host: string) =>
    aFinishedRequest(store, account, aRequest({ callback_url: `https://${host}.example/` }));
  const [hung, ofBusy, free] = [
    await finishFor(caller, 'hung'),
    await finishFor(busy, 'free'),
    await finishFor(caller, 'free'),
  ];
  const { hostKey, deliveryId } = await claimFor(store, hung.request_id);
  await queue.empty();
  for (const { request_id: requestId } of [hung, ofBusy, free]) await queue.dueIn(requestId, -1);
  const full = { hosts: new Map([[hostKey, 0]]), lanes: new Map([[busy.accountId, 0]]) };
  const claimed = await claimDue(store, 100, full);
  expect(claimed.map(({ requestId }) => requestId)).toEqual([free.request_id]);
  expect(await queue.row(deliveryId)).toMatchObject({ claim_count: 1, attempt_count: 0, lease: null });
  expect((await claim()).toSorted()).toEqual([hung.request_id, ofBusy.request_id].toSorted());
});

const to = (host: string) => aRequest({ callback_url: `https://${host}.example/` });
const hostsOf = (claimed: readonly { hostKey: string }[]) => {
  const counts = new Map<string, number>();
  for (const { hostKey } of claimed) counts.set(hostKey, (counts.get(hostKey) ?? 0) + 1);
  return counts;
};

// Without it one host with a long queue would fill every claim, and the others would wait behind it.
test('each host and account gives no more than its free slots, the longest due first', async () => {
  await queue.empty();
  const [shared, other] = [await anAccount(store), await anAccount(store)];
  const due: [string, Caller, string, number][] = [];
  for (const [account, host, seconds] of [
    [shared, 'long', -50],
    [other, 'long', -60],
    [shared, 'long', -70],
    [other, 'long', -40],
    [shared, 'short', -10],
    [shared, 'short', -5],
  ] as const) {
    const { request_id: requestId } = await aFinishedRequest(store, account, to(host));
    await queue.dueIn(requestId, seconds);
    due.push([requestId, account, host, seconds]);
  }
  const claimed = await claimDue(store, 100, { perHost: 3, lanes: new Map([[shared.accountId, 3]]) });
  const dueInOf = (requestId: string) => due.find(([id]) => id === requestId)?.[3];
  expect(claimed.map(({ requestId }) => dueInOf(requestId))).toEqual([-70, -60, -50, -10]);
});

// Without it a claim over thousands of hosts would read them all, or never reach the last.
test('lanes come in pages, and a full round of pages comes to every lane once', async () => {
  await queue.empty();
  const laneCount = LANE_PAGE_COUNT + 40;
  const { request_id: requestId } = await aFinishedRequest(store, caller);
  await bulkDeliveries(stores, requestId, laneCount - 1, { hostCount: laneCount - 1 });
  const freeSlots: FreeSlots = { perHost: 1, perAccount: laneCount, hosts: new Map(), lanes: new Map() };
  let end: Lane | null = null;
  const counts: number[] = [];
  const ids: string[] = [];
  do {
    const page = await claimDueDeliveries(store, { limit: laneCount, freeSlots, after: end });
    counts.push(page.claimed.length);
    ids.push(...page.claimed.map(({ deliveryId }) => deliveryId));
    end = page.end;
  } while (end);
  expect(counts).toHaveLength(2); // other tests' lanes, with nothing due, take up places too
  expect(new Set(ids).size).toBe(laneCount);
});

// Without it a host without a free slot would be claimed too.
test('the slots of one host override the general number', async () => {
  await queue.empty();
  const requests = await Promise.all(
    ['a', 'a', 'b', 'b'].map((host) => aFinishedRequest(store, caller, to(`own-room-${host}`))),
  );
  const all = await claimDue(store);
  const key = all.find(({ requestId }) => requestId === requests[0]?.request_id)?.hostKey ?? '';
  await queue.empty();
  for (const { request_id: requestId } of requests) await queue.dueIn(requestId, -1);
  const claimed = hostsOf(await claimDue(store, 100, { perHost: 1, hosts: new Map([[key, 2]]) }));
  expect([...claimed.values()].toSorted()).toEqual([1, 2]);
  expect(claimed.get(key)).toBe(2);
});
