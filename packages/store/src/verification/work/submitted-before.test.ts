import { randomUUID } from 'node:crypto';
import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { accessLines } from '../../../test/ground/access-lines.ts';
import { anEntry } from '../../../test/ground/an-entry.ts';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { anAccount, aPlatformCaller, hold, intake, submit } from '../../../test/ground/stages.ts';
import {
  aVerifier,
  claimOne,
  fail,
  LEASE_SECONDS,
  submitFound,
  workQueue,
} from '../../../test/ground/work-queue.ts';
import { applyHeldOutput, heartbeatWork } from '../../index.ts';

const stores = await openTestStores();
const { store, rival, sql } = stores;
const queue = workQueue(stores);
const caller = await anAccount(store);

const applied = { kind: 'applied', version: 1 };
const appliedBefore = { kind: 'applied_before', version: 1 };
const lost = { kind: 'lease_lost' };

const aLease = async () => {
  await queue.empty();
  await intake(store, caller);
  return claimOne(store);
};

/** Every row about a request, but for the lines of who did what. */
const rowsAbout = async (requestId: string) =>
  Promise.all([
    queue.row(requestId),
    ...['result', 'verification_attempt', 'delivery', 'delivery_queue', 'draft', 'held_output'].map((table) =>
      sql(`select to_jsonb(${table})::text as row from ${table} where request_id = $1 order by 1`, [
        requestId,
      ]),
    ),
  ]);

// Without it a verifier whose answer was lost on the way would be told that its work was in vain, and might do it again.
test('a submission that is repeated answers the version that the first made, and adds nothing but a line', async () => {
  const work = await aLease();
  const verifier = aVerifier();
  expect(await submitFound(store, work, { caller: verifier })).toEqual(applied);
  const before = await rowsAbout(work.requestId);
  expect(await submitFound(store, work, { caller: verifier })).toEqual(appliedBefore);
  expect(await submitFound(rival, work, { caller: verifier })).toEqual(appliedBefore);
  expect(await rowsAbout(work.requestId)).toEqual(before);
  const line = ['work.submit', work.requestId];
  expect(await accessLines(stores, verifier)).toEqual([line, line, line]);
});

// Without it a verifier who thought better of an answer would be told that the second one stands.
test('other data under a lease that is used up is refused, and changes nothing', async () => {
  const work = await aLease();
  const verifier = aVerifier();
  expect(await submitFound(store, work, { caller: verifier })).toEqual(applied);
  const before = await rowsAbout(work.requestId);
  const insuranceData = [anEntry({ verification_source: work.channel, notes: 'more' })];
  expect(await submitFound(rival, work, { caller: verifier, insuranceData })).toEqual(lost);
  expect(await submitFound(store, work, { caller: verifier, insuranceData: [] })).toEqual(lost);
  expect(await rowsAbout(work.requestId)).toEqual(before);
  expect(await accessLines(stores, verifier)).toEqual([['work.submit', work.requestId]]);
});

// Without it the verifier would be told that it wrote a correction which somebody else wrote.
test('it is the first version still after a correction', async () => {
  const work = await aLease();
  await submitFound(store, work);
  const heldId = await hold(store, anOutput(work.request, { notes: 'A correction.' }));
  expect(await applyHeldOutput(store, { caller: aVerifier(), heldId })).toMatchObject({ version: 2 });
  const before = await rowsAbout(work.requestId);
  expect(await submitFound(rival, work)).toEqual(appliedBefore);
  expect(await rowsAbout(work.requestId)).toEqual(before);
});

// Without it whoever guesses, or is late, would be told that its finding became the result.
test('another lease of the request, and one out of reach, is answered as before', async () => {
  const stale = await aLease();
  await queue.lapse(stale.requestId);
  const holder = await claimOne(rival);
  expect(holder.requestId).toBe(stale.requestId);
  expect(await submitFound(store, holder)).toEqual(applied);
  const before = await rowsAbout(holder.requestId);
  for (const leaseToken of [stale.leaseToken, randomUUID(), '', 'not a token\0'])
    expect(await submitFound(store, { ...holder, leaseToken })).toEqual(lost);
  expect(await submitFound(store, holder, { caller: aPlatformCaller('test') })).toEqual({
    kind: 'not_found',
  });
  expect(await heartbeatWork(store, { ...holder, caller: aVerifier(), leaseSeconds: LEASE_SECONDS })).toEqual(
    lost,
  );
  expect(await rowsAbout(holder.requestId)).toEqual(before);
});

// Without it a failure would turn into a success, or work that another overtook into the result.
test('an attempt that failed, or that another result overtook, was not submitted', async () => {
  const failed = await aLease();
  expect(await fail(store, failed, { final: true })).toEqual({ kind: 'error_verifying' });
  expect(await submitFound(store, failed)).toEqual(lost);
  const overtaken = await aLease();
  await submit(store, anOutput(overtaken.request));
  expect(await submitFound(store, overtaken)).toEqual(lost);
});

// Without it two answers of one attempt, sent at once by an impatient verifier, would be a result and a refusal.
test('of submissions under one lease at once each answers the one version', async () => {
  const work = await aLease();
  const answers = await Promise.all([store, store, rival, rival].map((one) => submitFound(one, work)));
  expect(answers.toSorted((a, b) => a.kind.localeCompare(b.kind))).toEqual([
    applied,
    appliedBefore,
    appliedBefore,
    appliedBefore,
  ]);
  expect(await sql('select version from result where request_id = $1', [work.requestId])).toEqual([
    { version: 1 },
  ]);
  expect(await queue.attempts(work.requestId)).toEqual(['1 agent_web_portal succeeded']);
});
