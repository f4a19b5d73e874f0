import { expect, onTestFinished, test } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { aFinishedRequest, anAccount, claimFor, finish } from '../../test/ground/stages.ts';
import { keepShards, wakeWhenDue, listen, redeliver } from '../index.ts';

const { store, rival, connectionString } = await openTestStores();
const caller = await anAccount(store);

// Without it every delivery would wait for the poll, up to a second.
test('a result of another process wakes the listener, a redelivery of any names its host', async () => {
  const heard = { count: 0, probed: [] as string[], regroupCount: 0 };
  const listener = listen(connectionString, {
    delivery_due: wakeWhenDue(store, {
      wake: () => (heard.count += 1),
      probe: (hostKey) => heard.probed.push(hostKey),
      regroup: () => (heard.regroupCount += 1),
    }),
  });
  onTestFinished(() => listener.close());
  const patiently = { timeout: 15_000 };
  await expect.poll(() => heard.count, patiently).toBe(1);
  await aFinishedRequest(store, caller);
  const { request_id: requestId } = await aFinishedRequest(rival, caller);
  await expect.poll(() => heard.count, patiently).toBe(2);
  const claimed = await claimFor(store, requestId);
  await finish(store, claimed);
  await redeliver(rival, { caller, requestId });
  await expect.poll(() => heard.probed, patiently).toEqual([claimed.hostKey]);
  await keepShards(store, { busiest: 0, released: [], leaves: false });
  await keepShards(rival, { busiest: 0, released: [], leaves: false });
  await expect.poll(() => heard.regroupCount, patiently).toBe(1);
  expect(heard.count).toBe(2);
});
