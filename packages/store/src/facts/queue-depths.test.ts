import { expect, test } from 'vitest';
import { deliveryQueue } from '../../test/ground/delivery-queue.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { aFinishedRequest, anAccount, claimFor, finish } from '../../test/ground/stages.ts';
import { measureDeliveryQueue } from '../index.ts';

const stores = await openTestStores();
const { store } = stores;
const queue = deliveryQueue(stores);

// Without it nobody would be alerted when deliveries pile up, or false alerts would come from deliveries that merely
// wait.
test('the queue is as deep as its unfinished rows and as old as its longest due one', async () => {
  const caller = await anAccount(store);
  expect(await measureDeliveryQueue(store)).toEqual({ pendingCount: 0, oldestDueSeconds: 0 });
  const [late, future, done] = [
    await aFinishedRequest(store, caller),
    await aFinishedRequest(store, caller),
    await aFinishedRequest(store, caller),
  ];
  await finish(store, await claimFor(store, done.request_id));
  await queue.empty();
  await queue.dueIn(future.request_id, 600);
  expect(await measureDeliveryQueue(store)).toEqual({ pendingCount: 2, oldestDueSeconds: 0 });
  await queue.dueIn(late.request_id, -90);
  const { pendingCount, oldestDueSeconds } = await measureDeliveryQueue(store);
  expect(pendingCount).toBe(2);
  expect(oldestDueSeconds).toBeGreaterThan(89);
  expect(oldestDueSeconds).toBeLessThan(120);
});
