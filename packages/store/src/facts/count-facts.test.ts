import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import { expect, test, vi } from 'vitest';
import { aHistory } from '../../test/ground/a-history.ts';
import { anEntry } from '../../test/ground/an-entry.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { plainCount, storedFacts } from '../../test/ground/plain-count.ts';
import {
  aFinishedRequest,
  anAccount,
  aPlatformCaller,
  claimFor,
  finish,
  hold,
  intake,
} from '../../test/ground/stages.ts';
import { aRoute, claimOne, fail, submitFound, workQueue } from '../../test/ground/work-queue.ts';
import {
  applyHeldOutput,
  closeRequest,
  correctWork,
  countFacts,
  dismissHeldOutput,
  type Store,
} from '../index.ts';

vi.setConfig({ testTimeout: 60_000 });
const stores = await openTestStores();
const { store, rival, sql, connectionString, encryptionKey } = stores;
const [caller, other, sandboxed] = [
  await anAccount(store),
  await anAccount(store),
  await anAccount(store, { mode: 'test' }),
];
const accountIds = [caller, other, sandboxed].map(({ accountId }) => accountId);
const program = fileURLToPath(new URL('count-facts.fixture.ts', import.meta.url));

/** Counts until nothing is left. */
async function countAll(on: Store): Promise<void> {
  for (;;) {
    const counted = await countFacts(on, { spanSeconds: 14_400, settledSeconds: 0 });
    if (counted.kind === 'counted' && counted.caughtUp) return;
  }
}

/** Counts in a process of its own, killed after so many batches; resolves when it is gone. */
async function countAndDie(batchCount: number): Promise<void> {
  const child = spawn(
    process.execPath,
    ['--conditions=@insurance-verification/source', program, connectionString, encryptionKey],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let lineCount = 0;
  createInterface({ input: child.stdout }).on('line', () => {
    lineCount += 1;
    if (lineCount === batchCount) child.kill('SIGKILL');
  });
  await once(child, 'close');
  expect(lineCount).toBeGreaterThanOrEqual(batchCount);
}

// Without it figures would count an event twice, or never, after a crash, a second process or a late commit.
test('the facts are the plain count, through every crash and write of others', async () => {
  await aHistory(stores, { accountIds, prefix: 'a', count: 600 });
  await Promise.all([countAndDie(5), countAndDie(9)]);
  await countAndDie(12);
  const write = async () => {
    for (let index = 0; index < 20; index += 1) {
      await finish(store, await claimFor(store, (await aFinishedRequest(store, caller)).request_id));
      const request = await aFinishedRequest(store, index % 2 ? other : sandboxed);
      const heldId = await hold(store, anOutput(request, { notes: String(index) }));
      if (index % 3 === 0) await dismissHeldOutput(store, { caller: aPlatformCaller(), heldId });
    }
  };
  await Promise.all([write(), countAll(store), countAll(rival)]);
  for (const finished of [false, true, true, false]) {
    await intake(store, caller);
    const work = await claimOne(store);
    await (finished ? submitFound(store, work) : fail(store, work));
    await countAll(rival);
  }
  await countAll(store);
  const plain = await plainCount(stores);
  expect(new Set(Object.keys(plain).map((key) => key.split(' ')[1])).size).toBe(19);
  expect(await storedFacts(stores)).toEqual(plain);
});

// Without it a request whose transaction commits late would be in no figure.
test('what is being written when the facts are counted is counted later', async () => {
  await countAll(store);
  const before = await receivedCount();
  let requestId = '';
  await store.db.transaction().execute(async (trx) => {
    ({ request_id: requestId } = await intake({ ...store, db: trx }, caller));
    await countAll(rival);
    await intake(store, caller);
    await countAll(rival);
    expect(await receivedCount()).toBe(before);
  });
  expect(requestId).not.toBe('');
  await countAll(store);
  expect(await receivedCount()).toBe(before + 2);
});

async function receivedCount(): Promise<number> {
  const [row] = await sql<{ count: number }>(
    `select coalesce(sum(count), 0)::int as count from hourly_fact where account_id = $1 and kind = 'received'`,
    [caller.accountId],
  );
  return row?.count ?? 0;
}

// Without it the figures would reach into the present, where transactions begin that nobody sees yet.
test('what was written within the settling time is left', async () => {
  await countAll(store);
  const before = await receivedCount();
  await intake(store, caller);
  const { kind } = await countFacts(store, { spanSeconds: 3_600, settledSeconds: 600 });
  expect([kind, await receivedCount()]).toEqual(['counted', before]);
  await countAll(store);
  expect(await receivedCount()).toBe(before + 1);
});

// Without it an operator who decides after lunch makes an agent's minute three hours.
test('an attempt whose finding an operator applies counts once, with its own duration, and a correction not at all', async () => {
  await workQueue(stores).empty();
  await intake(store, caller);
  const routes = [aRoute(['agent_web_portal'], { holdsAgentResults: true })];
  const verifier = aPlatformCaller();
  const work = await claimOne(store, { caller: verifier, routes });
  const held = await submitFound(store, work, { caller: verifier, routes });
  if (held.kind !== 'held') return expect.fail(`It was not held: ${held.kind}.`);
  await sql(
    `update verification_attempt set started_at = ended_at - interval '1 minute' where request_id = $1`,
    [work.requestId],
  );
  await countAll(store);
  const before = await succeeded();
  await applyHeldOutput(store, { caller: aPlatformCaller(), heldId: held.heldId });
  await countAll(store);
  const after = await succeeded();
  expect([after.count - before.count, after.ms - before.ms]).toEqual([1, 60_000]);
  await correctWork(store, {
    caller: verifier,
    requestId: work.requestId,
    insuranceData: [anEntry({ verification_source: 'agent_web_portal', notes: 'right' })],
    errorReason: null,
    evidence: { correctionReason: 'I read the line above.' },
    routes: [],
  });
  await countAll(store);
  expect(await succeeded()).toEqual(after);
  expect(await storedFacts(stores)).toEqual(await plainCount(stores));
});

async function succeeded(): Promise<{ readonly count: number; readonly ms: number }> {
  const [row] = await sql<{ count: number; ms: number }>(
    `select coalesce(sum(count), 0)::int as count, coalesce(sum(sum_ms), 0)::float8 as ms from hourly_fact
     where account_id = $1 and kind = 'attempt_succeeded'`,
    [caller.accountId],
  );
  return row ?? { count: 0, ms: 0 };
}

// Without it what a clinic did not need any more would lower the share of what was verified, and its time be a result's.
test('what was withdrawn is in no figure but what was received', async () => {
  const clinic = await anAccount(store);
  const { request_id: id } = await intake(store, clinic, aRequest(), {
    neededBy: new Date(Date.now() + 500),
  });
  const { request_id: missed } = await intake(store, clinic);
  const close = (requestId: string, reason: string) =>
    closeRequest(store, { caller: clinic, requestId, reason });
  expect(await close(id, 'withdrawn')).toMatchObject({ kind: 'closed' });
  expect(await close(missed, 'member_not_found')).toMatchObject({ kind: 'closed' });
  await until('the time at which it was needed is past', async () => {
    const [row] = await sql<{ past: boolean }>(
      'select needed_by < now() as past from request where id = $1',
      [id],
    );
    return row?.past ? true : null;
  });
  await countAll(store);
  const facts = await sql<{ kind: string; count: number }>(
    'select kind, count from hourly_fact where account_id = $1 order by kind',
    [clinic.accountId],
  );
  expect(facts).toEqual([
    { kind: 'not_verified', count: 1 },
    { kind: 'received', count: 2 },
  ]);
});
