import { expect, test, vi } from 'vitest';
import { finishAttempts } from '../src/delivery/attempts/finish-attempts.ts';
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
    `select whole.relname as table, sum(n_tup_upd)::int as updated, sum(n_tup_hot_upd)::int as hot
     from pg_stat_user_tables stat left join pg_inherits on inhrelid = relid
     join pg_class whole on whole.oid = coalesce(inhparent, relid)
     where whole.relname in ('request', 'delivery', 'delivery_queue') group by 1 order by 1`,
  )) as Updates[];

// Broke: the queues were indexes on what each step changes, so no update was HOT: each wrote all of the row's indexes,
// and left their old entries to vacuum.
test('of the updates of a whole life at least 80 % touch no index', async () => {
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
    .poll(async () => (await updates(server)).map(({ updated }) => updated))
    .toEqual([REQUEST_COUNT, REQUEST_COUNT, REQUEST_COUNT * 4]);
  const counted = await updates(server);
  const sum = (of: (one: Updates) => number) => counted.reduce((total, one) => total + of(one), 0);
  expect(sum(({ hot }) => hot) / sum(({ updated }) => updated)).toBeGreaterThanOrEqual(0.8);
  expect(await server.admin('select from work_queue')).toEqual([]);
  expect(await server.admin('select from delivery_queue')).toEqual([]);
});
