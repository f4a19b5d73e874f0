import { expect, test } from 'vitest';
import { deliveryQueue } from '../../test/ground/delivery-queue.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { aFinishedRequest, anAccount, claimDue, claimFor, finish } from '../../test/ground/stages.ts';
import { listReceivers, noteBreaker, releaseLeases, replanDeliveries, searchDeliveries } from '../index.ts';

const stores = await openTestStores();
const { store, rival, sql } = stores;
const queue = deliveryQueue(stores);
const caller = { ...(await anAccount(store)), acrossAccounts: true };

/** As if all that is planned had been planned by a clock that was ahead. */
const setClockBack = (seconds: number) =>
  sql(
    `update delivery_queue set run_at = run_at + make_interval(secs => $1), planned_at = planned_at + make_interval(secs => $1),
       leased_at = leased_at + make_interval(secs => $1), leased_until = leased_until + make_interval(secs => $1)`,
    [seconds],
  );

const secondsLeft = async (deliveryId: string) => {
  const [row] = await sql<{ left: number }>(
    'select extract(epoch from run_at - now())::float8 as left from delivery_queue where delivery_id = $1',
    [deliveryId],
  );
  return row?.left ?? 0;
};

/** When a delivery is shown to be tried next, in seconds from now. */
const shownLeft = async (deliveryId: string) => {
  const { items } = await searchDeliveries(store, { caller, limit: 100 });
  const shown = items.find(({ delivery_id }) => delivery_id === deliveryId)?.next_attempt_at;
  return (Date.parse(shown ?? '') - Date.now()) / 1000;
};

// Broke: a retry that was planned while the clock was an hour ahead came an hour late, and was shown so.
test('a retry that was planned while the clock was ahead waits as long as it was to', async () => {
  const lease = await claimFor(store, (await aFinishedRequest(store, caller)).request_id);
  await finish(store, lease, { next: { kind: 'retry', delaySeconds: 300 } });
  await setClockBack(3600);
  expect(await secondsLeft(lease.deliveryId)).toBeGreaterThan(3600);
  expect(await replanDeliveries(store)).toBe(1);
  for (const left of [await secondsLeft(lease.deliveryId), await shownLeft(lease.deliveryId)]) {
    expect(left).toBeGreaterThan(290);
    expect(left).toBeLessThanOrEqual(301);
  }
  expect(await replanDeliveries(store)).toBe(0);
});

test('one that was planned up to five seconds in the future, or by this clock, is left as it is', async () => {
  await queue.empty();
  await sql('update delivery_queue set planned_at = now()');
  const lease = await claimFor(store, (await aFinishedRequest(store, caller)).request_id);
  await finish(store, lease, { next: { kind: 'retry', delaySeconds: 86_400 } });
  expect(await replanDeliveries(store)).toBe(0);
  await setClockBack(4);
  expect(await replanDeliveries(store)).toBe(0);
  expect(await secondsLeft(lease.deliveryId)).toBeGreaterThan(86_400);
});

// Without it the first attempt, or the one of a worker that died, comes as late as the clock was ahead.
test('a first attempt, and one whose worker died before the clock was set back, are due at once', async () => {
  await queue.empty();
  await sql('update delivery_queue set planned_at = now()');
  const first = await aFinishedRequest(store, caller);
  const held = await claimFor(store, (await aFinishedRequest(store, caller)).request_id);
  await setClockBack(3600);
  expect(await claimDue(rival, 10)).toEqual([]);
  expect(await replanDeliveries(store)).toBeGreaterThanOrEqual(2);
  const claimed = await claimDue(rival, 10);
  expect(claimed.map(({ requestId }) => requestId).toSorted()).toEqual(
    [first.request_id, held.requestId].toSorted(),
  );
  await releaseLeases(rival, claimed);
});

// Broke: its deliveries were shown to be tried an hour later than they are.
test('a pause that began while the clock was ahead is over', async () => {
  const lease = await claimFor(store, (await aFinishedRequest(store, caller)).request_id);
  await finish(store, lease, { next: { kind: 'retry', delaySeconds: 300 } });
  await noteBreaker(store, { hostKey: lease.hostKey, retrySeconds: 30 });
  const isPaused = async () =>
    (await listReceivers(store, { caller })).some(({ paused_since }) => paused_since !== null);
  expect(await isPaused()).toBe(true);
  await sql(
    `update receiver set paused_since = paused_since + interval '1 hour', next_try_at = next_try_at + interval '1 hour'`,
  );
  expect(await isPaused()).toBe(false);
  expect(await shownLeft(lease.deliveryId)).toBeLessThanOrEqual(301);
});
