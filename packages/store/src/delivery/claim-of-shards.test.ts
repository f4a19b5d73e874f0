import { expect, test } from 'vitest';
import { deliveryQueue } from '../../test/ground/delivery-queue.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { aFinishedRequest, anAccount } from '../../test/ground/stages.ts';
import { claimDueDeliveries } from '../index.ts';

const stores = await openTestStores();
const { store } = stores;

// Breaks if a worker's bits and the statement disagree about whose a host is: two would call it, or nobody.
test('a claim takes from the shards whose bits are set', async () => {
  await deliveryQueue(stores).empty();
  const { request_id: requestId } = await aFinishedRequest(store, await anAccount(store));
  const [row] = await stores.sql<{ host: Buffer }>(
    'select destination_host as host from delivery where request_id = $1',
    [requestId],
  );
  const shard = row?.host[0] ?? 0;
  const claim = async (isMine: (one: number) => boolean) => {
    const shards = Buffer.alloc(32);
    for (let one = 0; one < 256; one += 1)
      if (isMine(one)) shards[one >> 3] = (shards[one >> 3] ?? 0) | (1 << (one & 7));
    const freeSlots = { perHost: 10, perAccount: 10, hosts: new Map(), lanes: new Map() };
    const { claimed } = await claimDueDeliveries(store, { limit: 10, freeSlots, after: null, shards });
    return claimed.map((one) => one.requestId);
  };
  expect(await claim((one) => one !== shard)).toEqual([]);
  expect(await claim((one) => one === shard)).toEqual([requestId]);
});
