import { expect, test, vi } from 'vitest';
import { finishAttempts } from '../src/delivery/finish-attempts.ts';
import { type ClaimedWork, createMasterKey, heartbeatWork, openStore } from '../src/index.ts';
import type { OwnServer } from '../src/testing/own-server.ts';
import { aServer } from './ground/a-server.ts';
import { aFinishedAttempt, anAccount, claimDue, intake } from './ground/stages.ts';
import { aVerifier, claim, submitFound } from './ground/work-queue.ts';

vi.setConfig({ testTimeout: 60_000 });

const REQUEST_COUNT = 200;
/** The rows that one statement changes: neighbours, the most of them that find room in their page. */
const TOGETHER_COUNT = 4;

interface Updates {
  readonly table: string;
  readonly updated: number;
  readonly hot: number;
}

/** The rows updated so far, and those of them written in their page alone. */
const updates = async ({ admin }: OwnServer) =>
  (await admin(
    `select relname as table, n_tup_upd::int as updated, n_tup_hot_upd::int as hot from pg_stat_user_tables
     where relname in ('account_served', 'delivery', 'delivery_queue', 'request', 'work_queue') order by 1`,
  )) as Updates[];

// Broke: the queues were indexes on what each step changes, so no update was HOT: each wrote all of the row's indexes,
// and left their old entries to vacuum. A lease of work still does, in the narrow row of its queue: by the index it is found.
test('of the updates of a whole life only the result touches an index of the request, and none one of the delivery', async () => {
  // Of its own: a transaction that is open in any database keeps the dead rows of all, and their pages full.
  const server = await aServer();
  const { connectionString } = server;
  const store = await openStore({ connectionString, encryptionKey: createMasterKey('k1') });
  const caller = await anAccount(store);
  for (let count = 0; count < REQUEST_COUNT; count += 1) await intake(store, caller);
  for (let done = 0; done < REQUEST_COUNT; done += TOGETHER_COUNT) {
    const verifier = aVerifier();
    const works: ClaimedWork[] = [];
    while (works.length < TOGETHER_COUNT) works.push(...(await claim(store, { caller: verifier })));
    for (const { requestId, leaseToken } of works)
      await heartbeatWork(store, { caller: verifier, requestId, leaseToken, leaseSeconds: 60 });
    for (const work of works) await submitFound(store, work, { caller: verifier });
    const due = await claimDue(store);
    expect(due).toHaveLength(TOGETHER_COUNT);
    await finishAttempts(
      store,
      due.map((lease) => aFinishedAttempt(lease)),
    );
  }
  await store.close(); // its sessions report their counts when they end
  await expect
    .poll(async () => (await updates(server)).map(({ table, updated }) => [table, updated]))
    .toEqual([
      ['account_served', REQUEST_COUNT - 1],
      ['delivery', REQUEST_COUNT],
      ['delivery_queue', REQUEST_COUNT],
      ['request', REQUEST_COUNT * 2],
      ['work_queue', REQUEST_COUNT * 2],
    ]);
  const notHot = new Map((await updates(server)).map(({ table, updated, hot }) => [table, updated - hot]));
  const few = REQUEST_COUNT / 20; // pages that are full
  for (const table of ['account_served', 'delivery', 'delivery_queue'])
    expect(notHot.get(table), table).toBeLessThanOrEqual(few);
  expect(notHot.get('request')).toBeLessThanOrEqual(REQUEST_COUNT + few);
  expect(await server.admin('select from work_queue')).toEqual([]);
  expect(await server.admin('select from delivery_queue')).toEqual([]);
});
