import { expect, test } from 'vitest';
import { openTestStores } from '../../test/open-test-stores.ts';
import { anAccount, intake } from '../../test/stages.ts';
import { aRoute, claimOne, fail, ROUTE, submitFound, workQueue } from '../../test/work-queue.ts';
import { measureWork } from '../index.ts';

const stores = await openTestStores();
const { store, sql } = stores;
const queue = workQueue(stores);
const caller = await anAccount(store);

// Without it nobody would see a queue grow, a channel fail, or a payer answer too late.
test('each channel of each route tells what waits, what is worked on and how it has done', async () => {
  const [done, failed, leased, waiting] = [
    await intake(store, caller),
    await intake(store, caller),
    await intake(store, caller),
    await intake(store, caller),
  ];
  for (const [index, request] of [done, failed, leased, waiting].entries()) {
    await queue.dueSince(request.request_id, 400 - index * 100);
  }
  await sql(`update request set received_at = now() - interval '50 seconds' where id = $1`, [
    done.request_id,
  ]);
  await submitFound(store, await claimOne(store));
  await fail(store, await claimOne(store));
  await claimOne(store);
  await queue.dueSince(waiting.request_id, 4_000);
  await intake(store, await anAccount(store, { mode: 'test' }));

  const other = aRoute(['api'], { payerId: 'plan-2' });
  const [portal, phone, api] = await measureWork(store, [ROUTE, other], 'live');
  expect(portal).toMatchObject({
    payerId: ROUTE.payerId,
    channel: 'agent_web_portal',
    waitingCount: 1,
    leasedCount: 1,
    overdueCount: 1,
    succeededCount: 1,
    failedCount: 1,
    within20SecondsShare: 1,
    failures: [{ errorReason: 'member_not_found', count: 1 }],
  });
  expect(portal?.oldestSeconds).toBeGreaterThanOrEqual(4_000);
  expect(portal?.secondsToResultP50).toBeGreaterThanOrEqual(50);
  expect(phone).toMatchObject({
    channel: 'manual_phone_call',
    waitingCount: 1,
    overdueCount: 0,
    failures: [],
  });
  expect(api).toEqual({
    payerId: 'plan-2',
    channel: 'api',
    waitingCount: 0,
    leasedCount: 0,
    overdueCount: 0,
    oldestSeconds: null,
    succeededCount: 0,
    failedCount: 0,
    secondsToResultP50: null,
    secondsToResultP90: null,
    within20SecondsShare: null,
    failures: [],
  });
  expect(await measureWork(store, [], 'live')).toEqual([]);
});
