import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, onTestFinished, test } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { anAccount, aPlatformCaller, intake, PAYER_ID, submit } from '../../test/ground/stages.ts';
import { claimOne, workQueue } from '../../test/ground/work-queue.ts';
import type { Caller } from '../access/caller.ts';
import { EVERYWHERE, type Reach, within, withinPayers } from '../access/reach.ts';
import { withClient } from '../testing/create-test-database.ts';
import { lockRequest, lockRequests } from './lock-request.ts';

const stores = await openTestStores();
const { store, rival, sql, connectionString } = stores;
const queue = workQueue(stores);
const caller = await anAccount(store);
const tester = await anAccount(store, { mode: 'test' });

const lock = (ids: readonly string[], reach: Reach = EVERYWHERE) =>
  store.db.transaction().execute(async (trx) => {
    const asked = ids.map((requestId) => ({ requestId, reach }));
    const { rows: locked } = await trx.executeQuery(lockRequests(asked, { waits: false }));
    return locked.map(({ id }) => id).toSorted();
  });

/** Runs some work while another session has locked a row. */
async function whileLocked(statement: string, id: string, work: () => Promise<void>): Promise<void> {
  await withClient(connectionString, async (client) => {
    await client.query('begin');
    await client.query(statement, [id]);
    await work();
    await client.query('rollback');
  });
}

const accountIds = (...callers: readonly Caller[]) => callers.map(({ accountId }) => accountId);
const live = aPlatformCaller();
const ofTest = aPlatformCaller('test');
const keptTo = (limits: Partial<NonNullable<Caller['verifyWithin']>>) => ({
  verifyWithin: { payer_ids: null, channels: null, account_ids: null, ...limits },
});

// Without it a verifier would lock, and answer, a request that it cannot read.
test.each<[string, Reach]>([
  ['everywhere', EVERYWHERE],
  ['of an account', caller],
  ['of a test account', tester],
  ['of another account', { ...caller, accountId: 'acct_x' }],
  ['across accounts', live],
  ['across test accounts', ofTest],
  ['across some test accounts', { ...ofTest, testAccountIds: accountIds(tester) }],
  ['across no test account', { ...ofTest, testAccountIds: [] }],
  ['of one payer', { ...live, ...keptTo({ payer_ids: [PAYER_ID] }) }],
  ['of another payer', { ...live, ...keptTo({ payer_ids: ['plan-2'] }) }],
  ['of no payer', { ...live, ...keptTo({ payer_ids: [] }) }],
  ['of one account', { ...live, ...keptTo({ account_ids: accountIds(caller) }) }],
  ['of both accounts, in test', { ...ofTest, ...keptTo({ account_ids: accountIds(caller, tester) }) }],
  [
    'of both accounts, across some in test',
    { ...ofTest, testAccountIds: [], ...keptTo({ account_ids: accountIds(caller, tester) }) },
  ],
  ['of an account and a payer', { ...caller, ...keptTo({ payer_ids: ['plan-2'], account_ids: [] }) }],
])('a caller %s locks what it reads', async (_, reach) => {
  const requests = [await intake(store, caller), await intake(store, tester)];
  const ids = requests.map(({ request_id: id }) => id);
  const read = await store.db
    .selectFrom('request')
    .select('id')
    .where('id', 'in', ids)
    .where(within(reach, 'account_id'))
    .where(withinPayers(reach, 'payer_id'))
    .execute();
  expect(await lock(ids, reach)).toEqual(read.map(({ id }) => id).toSorted());
});

// Without it one caller's reach in a list would be another's.
test('of a list each request is locked within its own reach', async () => {
  const [first, second] = [await intake(store, caller), await intake(store, caller)];
  const asked = [
    { requestId: first.request_id, reach: tester },
    { requestId: second.request_id, reach: caller },
  ];
  const { rows: locked } = await store.db
    .transaction()
    .execute((trx) => trx.executeQuery(lockRequests(asked, { waits: false })));
  expect(locked).toMatchObject([{ id: second.request_id }]);
});

// Without it a sender would wait for a transaction that has nothing to do with its request.
test.each([
  ['the request', 'select from request where id = $1 for no key update'],
  ['its row of the queue', 'select from work_queue where request_id = $1 for no key update'],
])('without waiting, it skips a request where another has locked %s', async (_, statement) => {
  const [request, free] = [await intake(store, caller), await intake(store, caller)];
  const ids = [request.request_id, free.request_id];
  await whileLocked(statement, request.request_id, async () => {
    expect(await lock(ids)).toEqual([free.request_id]);
  });
  expect(await lock(ids)).toEqual(ids.toSorted());
});

// Without it the second of two outputs would not see the result of the first, and make another.
test('after a wait it reads what came meanwhile', async () => {
  await queue.empty();
  await intake(store, caller);
  const work = await claimOne(store);
  const { promise: isLocked, resolve: noteLocked } = Promise.withResolvers<void>();
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  onTestFinished(() => end());
  const holding = rival.db.transaction().execute(async (trx) => {
    await lockRequest(trx, work.requestId, EVERYWHERE);
    noteLocked();
    await mayEnd;
  });
  await isLocked;
  const answered = submit(rival, anOutput(work.request));
  const isWaiting = async (count: number) => {
    const [row] = await sql<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return row?.count === count;
  };
  await expect.poll(() => isWaiting(1)).toBe(true);
  const locking = store.db.transaction().execute((trx) => lockRequest(trx, work.requestId, EVERYWHERE));
  await expect.poll(() => isWaiting(2)).toBe(true);
  end();
  await holding;
  expect(await answered).toEqual({ kind: 'applied', version: 1 });
  const [result] = await sql<{ digest: Buffer }>('select digest from result where request_id = $1', [
    work.requestId,
  ]);
  expect(await locking).toMatchObject({
    version: 1,
    outcome: 'complete',
    digest: result?.digest,
    channel: null,
    lease: null,
    lease_holds: false,
    attempt_number: 2,
  });
});

// Without it a verifier whose lease lapsed during the wait would overwrite the next one's work.
test('a lease holds by the clock', async () => {
  await queue.empty();
  await intake(store, caller);
  const { requestId, leaseToken } = await claimOne(store);
  const read = () => store.db.transaction().execute((trx) => lockRequest(trx, requestId, EVERYWHERE));
  expect(await read()).toMatchObject({ lease: leaseToken, lease_holds: true, digest: null });
  await queue.lapse(requestId, 0);
  expect(await read()).toMatchObject({ lease: leaseToken, lease_holds: false });
});
