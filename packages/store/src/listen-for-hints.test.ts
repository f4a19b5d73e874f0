import { expect, onTestFinished, test } from 'vitest';
import { openTestStores } from '../test/open-test-stores.ts';
import { aFinishedRequest, anAccount } from '../test/stages.ts';
import { announceWork, listenForHints } from './index.ts';

const { store, rival, connectionString } = await openTestStores();
const caller = await anAccount(store);

// Without it a process that delivers would be woken by work that only verifiers do, and the other way round.
test('each hint wakes its own', async () => {
  const heard = { delivery: 0, work: 0 };
  const listener = listenForHints(connectionString, {
    delivery_due: () => (heard.delivery += 1),
    work_due: () => (heard.work += 1),
  });
  onTestFinished(() => listener.close());
  const patiently = { timeout: 15_000 };
  await expect.poll(() => heard, patiently).toEqual({ delivery: 1, work: 1 });
  await announceWork(rival);
  await expect.poll(() => heard, patiently).toEqual({ delivery: 1, work: 2 });
  await aFinishedRequest(rival, caller);
  await expect.poll(() => heard, patiently).toEqual({ delivery: 2, work: 2 });
});
