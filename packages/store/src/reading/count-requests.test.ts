import { expect, test } from 'vitest';
import { bulkDeliveries } from '../../test/ground/bulk-deliveries.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { pagesRead } from '../../test/ground/pages-read.ts';
import { aFinishedRequest, anAccount, aPlatformCaller, intake } from '../../test/ground/stages.ts';
import { countRequests, listReceivers, searchRequests, type Store } from '../index.ts';

const stores = await openTestStores();
const { store, sql } = stores;

// Without it the numbers in the navigation, which every page reads, would read every request and every delivery.
test(
  'what is late and was given up is counted, and found, by what is late and was given up only',
  { timeout: 60_000 },
  async () => {
    const clinic = await anAccount(store);
    const { request_id: finished } = await aFinishedRequest(store, clinic);
    await bulkDeliveries(stores, finished, 9_000, { prefix: '7' });
    await bulkDeliveries(stores, finished, 30, { prefix: '8', exhaustedAt: 'now()' });
    await sql(
      `insert into receiver (destination_host, delivery_id, last_attempt_at)
       select destination_host, max(id), now() from delivery group by 1`,
    );
    const { request_id: waits } = await intake(store, clinic);
    await sql(
      `insert into work_queue (request_id, account_id, pool, payer_id)
       select request.id, request.account_id, pool, work_queue.payer_id from request, work_queue
       where request.id like 'req_7%' and work_queue.request_id = $1`,
      [waits],
    );
    await sql(`update work_queue set needed_by = now() - interval '1 hour' where request_id = $1`, [waits]);
    await sql('vacuum analyze');
    for (const caller of [clinic, aPlatformCaller()]) {
      const read = async (operation: (store: Store) => Promise<unknown>) => {
        const { pageCount, plans } = await pagesRead(stores, store, operation);
        expect(pageCount).toSatisfy((count) => count > 0 && count < 150);
        return plans;
      };
      expect(await countRequests(store, { caller })).toEqual({ late_count: 1, given_up_count: 30 });
      expect(await read((watched) => countRequests(watched, { caller }))).toContain('work_queue_needed');
      await read((watched) => searchRequests(watched, { caller, routes: [], limit: 10, late: true }));
    }
    const { plans } = await pagesRead(stores, store, (watched) =>
      listReceivers(watched, { caller: aPlatformCaller() }),
    );
    expect(plans).toContain('delivery_lost_to');
  },
);
