import type { InsurancePlanData } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { accessLines } from '../../../test/ground/access-lines.ts';
import { anEntry } from '../../../test/ground/an-entry.ts';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { aPlatformCaller, anAccount, claimFor, finish, intake } from '../../../test/ground/stages.ts';
import { theAttempts, theDeliveries, theHeldOutput, theResult } from '../../../test/ground/the-stored.ts';
import {
  aRoute,
  aVerifier,
  claimOne,
  fail,
  ROUTE,
  submitFound,
  workQueue,
} from '../../../test/ground/work-queue.ts';
import {
  applyHeldOutput,
  type Caller,
  closeRequest,
  correctWork,
  dismissHeldOutput,
  listAttempts,
  listOwnDone,
  measureOwnDay,
  type Store,
} from '../../index.ts';

const stores = await openTestStores();
const { store, rival, sql } = stores;
const queue = workQueue(stores);
const caller = await anAccount(store, { kind: 'platform' });
const operator = aPlatformCaller();

const WHY = 'I read the line above.';
const entry = (changes: Partial<InsurancePlanData> = {}) =>
  anEntry({ verification_source: 'manual_phone_call', ...changes });

/** A request with a verifier's result of this moment. */
async function aResult(verifier: Caller = aVerifier()) {
  await queue.empty();
  await intake(store, caller);
  const routes = [aRoute(['manual_phone_call'])];
  const work = await claimOne(store, { caller: verifier, routes, channels: ['manual_phone_call'] });
  await submitFound(store, work, { caller: verifier });
  return { verifier, requestId: work.requestId };
}

const correct = (
  { verifier, requestId }: { readonly verifier: Caller; readonly requestId: string },
  notes: string,
  { into = store, ...changes }: Partial<Parameters<typeof correctWork>[1]> & { readonly into?: Store } = {},
) =>
  correctWork(into, {
    caller: verifier,
    requestId,
    insuranceData: [entry({ notes })],
    errorReason: null,
    evidence: { reference: 'R-2', correctionReason: WHY },
    routes: [ROUTE],
    ...changes,
  });

const age = (requestId: string, minutes: number) =>
  sql('update result set applied_at = applied_at - make_interval(mins => $2) where request_id = $1', [
    requestId,
    minutes,
  ]);

const notesOf = async (requestId: string) =>
  (await theResult(store, caller, requestId)).insurance_data.map(({ notes }) => notes);

const deliveriesOf = async (requestId: string) =>
  (await theDeliveries(store, caller, requestId)).map(({ version, status }) => `${version} ${status}`);

// Without it a clinic would act on a slip that its verifier saw a minute later.
test('within ten minutes and undelivered it is the next version, with both versions in the audit', async () => {
  const own = await aResult();
  const { requestId, verifier } = own;
  await age(requestId, 9);
  expect(await correct(own, 'right')).toEqual({ kind: 'applied', version: 2 });
  expect(await notesOf(requestId)).toEqual(['right']);
  expect(await deliveriesOf(requestId)).toEqual(['1 superseded', '2 pending']);
  expect(await theAttempts(store, caller, requestId)).toMatchObject([
    { outcome: 'succeeded', result_version: 1 },
    {
      outcome: 'succeeded',
      result_version: 2,
      channel: 'manual_phone_call',
      reference: 'R-2',
      correction_reason: WHY,
      key_id: verifier.keyId,
    },
  ]);
  const shown = await listAttempts(store, { caller, requestId, withInternals: false });
  expect(JSON.stringify(shown)).not.toContain(WHY);
  expect(
    await sql(`select details from access_log where request_id = $1 and operation = 'work.correct'`, [
      requestId,
    ]),
  ).toEqual([{ details: JSON.stringify({ before: { version: 1 }, after: { version: 2 } }) }]);
});

test('it counts as one request done, the newest version', async () => {
  const own = await aResult();
  await correct(own, 'right');
  const since = undefined;
  expect(await listOwnDone(store, { caller: own.verifier, since })).toMatchObject([{ result_version: 2 }]);
  expect(await measureOwnDay(store, { caller: own.verifier, since })).toMatchObject({ done_count: 1 });
});

// Without it a clinic that acted on the first result would get another without a person who looks at it.
test.each([
  ['after ten minutes', ({ requestId }: { requestId: string }) => age(requestId, 10)],
  [
    'once it is delivered',
    async ({ requestId }: { requestId: string }) => finish(store, await claimFor(store, requestId)),
  ],
])('%s it is held with its reason, and applied it is the verifier’s attempt', async (_, happens) => {
  const own = await aResult();
  const { requestId, verifier } = own;
  await happens(own);
  const held = await correct(own, 'right');
  if (held.kind !== 'held') return expect.fail(`It was not held: ${held.kind}.`);
  expect(await notesOf(requestId)).not.toEqual(['right']);
  const { heldId } = held;
  expect(await theHeldOutput(store, operator, heldId)).toMatchObject({
    reason: 'superseding',
    request_id: requestId,
    correction: { by: null, reason: WHY },
  });
  expect(await correct(own, 'right', { into: rival })).toEqual(held);
  expect(await applyHeldOutput(store, { caller: operator, heldId })).toMatchObject({ version: 2 });
  expect((await theAttempts(store, caller, requestId)).at(-1)).toMatchObject({
    result_version: 2,
    key_id: verifier.keyId,
    correction_reason: WHY,
    reference: 'R-2',
  });
  expect(await correct(own, 'right')).toEqual({ kind: 'unchanged', version: 2 });
});

test('a dismissed one changes nothing', async () => {
  const own = await aResult();
  await age(own.requestId, 10);
  const held = await correct(own, 'right');
  if (held.kind !== 'held') return expect.fail(`It was not held: ${held.kind}.`);
  await dismissHeldOutput(store, { caller: operator, heldId: held.heldId });
  expect(await deliveriesOf(own.requestId)).toEqual(['1 pending']);
});

// Without it what an agent was talked into would pass the person who looks at its results.
test('an agent’s is held where the payer’s route holds what agents find', async () => {
  await queue.empty();
  await intake(store, caller);
  const verifier = aVerifier();
  const work = await claimOne(store, { caller: verifier });
  await submitFound(store, work, { caller: verifier });
  const own = { verifier, requestId: work.requestId };
  const insuranceData = [entry({ verification_source: 'agent_web_portal', notes: 'right' })];
  const routes = [aRoute(['agent_web_portal'], { holdsAgentResults: true })];
  expect(await correct(own, '', { insuranceData, routes })).toMatchObject({ kind: 'held' });
});

test('another verifier’s result is not corrected, and neither is one that replaced it or none', async () => {
  const own = await aResult();
  const refused = { kind: 'not_own_result' };
  expect(await correct({ ...own, verifier: aVerifier() }, 'right')).toEqual(refused);
  const other = await intake(store, caller);
  expect(await correct({ ...own, requestId: other.request_id }, 'right')).toEqual(refused);
  await closeRequest(store, { caller, requestId: other.request_id, reason: 'no longer needed' });
  expect(await correct({ ...own, requestId: other.request_id }, 'right')).toEqual(refused);
  expect(await correct({ ...own, requestId: 'req_x' }, 'right')).toEqual({ kind: 'not_found' });
  expect(await deliveriesOf(own.requestId)).toEqual(['1 pending']);
});

test('the same correction again, and one without a change, add a line and nothing else', async () => {
  const own = await aResult();
  await correct(own, 'right');
  expect(await correct(own, 'right', { into: rival })).toEqual({ kind: 'unchanged', version: 2 });
  expect(await deliveriesOf(own.requestId)).toEqual(['1 superseded', '2 pending']);
  const line = ['work.correct', own.requestId];
  expect((await accessLines(stores, own.verifier)).slice(-2)).toEqual([line, line]);
});

test('changed benefits are a correction', async () => {
  const own = await aResult();
  const benefits = { serviceDate: '2026-11-20', leftOut: 0, coverages: [{ rows: [] }] };
  const changed = { insuranceData: [entry()], benefits };
  expect(await correct(own, '', changed as never)).toEqual({ kind: 'applied', version: 2 });
  expect(await correct(own, '', changed as never)).toEqual({ kind: 'unchanged', version: 2 });
});

// Without it a correction would put another patient's coverage on a request that was checked once.
test('it is checked as a submission is', async () => {
  const own = await aResult();
  const stranger = { subscriber_id: 'OTHER', dob: '1901-01-01', name: 'Another Patient' };
  const insuranceData = [entry({ patient_info: stranger, verification_source: 'api' })];
  expect(await correct(own, '', { insuranceData })).toEqual({
    kind: 'mismatch',
    mismatches: [
      { kind: 'channel', index: 0 },
      { kind: 'another_patient', index: 0 },
    ],
  });
});

test('of an erased request nothing is corrected', async () => {
  const own = await aResult();
  await sql('update request set erased_at = now() where id = $1', [own.requestId]);
  expect(await correct(own, 'right')).toEqual({ kind: 'erased' });
});

// Breaks if a receiver gets the first version after the correction, or a correction replaces what it has accepted.
test('of a correction and the end of its delivery, one comes first', async () => {
  for (let round = 0; round < 20; round += 1) {
    const own = await aResult();
    const lease = await claimFor(store, own.requestId);
    const [corrected, isWritten] = await Promise.all([
      correct(own, 'right', { into: rival }),
      finish(store, lease),
    ]);
    expect(corrected.kind).toBe(isWritten ? 'held' : 'applied');
    expect(await deliveriesOf(own.requestId)).toEqual(
      isWritten ? ['1 delivered'] : ['1 superseded', '2 pending'],
    );
  }
});

test('of ten corrections at once each is a version or the one before', async () => {
  const own = await aResult();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      correct(own, `right ${index % 2}`, { into: index % 3 === 0 ? rival : store }),
    ),
  );
  expect(answers.every(({ kind }) => kind === 'applied' || kind === 'unchanged')).toBe(true);
  const attempts = await theAttempts(store, caller, own.requestId);
  expect(attempts.map(({ result_version: version }) => version)).toEqual(
    attempts.map((_, index) => index + 1),
  );
});

/** A request that a verifier ended as not verified, a moment ago. */
async function aFailure(verifier: Caller = aVerifier()) {
  await queue.empty();
  await intake(store, caller);
  const routes = [aRoute(['manual_phone_call'])];
  const work = await claimOne(store, { caller: verifier, routes, channels: ['manual_phone_call'] });
  await fail(store, work, { caller: verifier, routes, evidence: { reference: 'R-1' } });
  return { verifier, requestId: work.requestId };
}

const FAILED = { insuranceData: [], errorReason: 'member_not_found' as const };

const lastAttempt = async (requestId: string) => (await theAttempts(store, caller, requestId)).at(-1);

// Without it a verifier who found the member a minute later could not say so, and the clinic would keep the failure.
test.each([
  ['at once', () => Promise.resolve([])],
  ['by an operator after ten minutes', ({ requestId }: { requestId: string }) => age(requestId, 10)],
])('a failure is corrected into a result, and a result into a failure, %s', async (when, happens) => {
  const decided = async (corrected: Awaited<ReturnType<typeof correct>>) => {
    if (corrected.kind !== 'held') return corrected;
    return applyHeldOutput(store, { caller: operator, heldId: corrected.heldId });
  };
  const own = await aFailure();
  const { requestId } = own;
  await happens(own);
  const first = await correct(own, 'found after all');
  expect(first.kind).toBe(when === 'at once' ? 'applied' : 'held');
  expect(await decided(first)).toMatchObject({ kind: 'applied', version: 2 });
  expect(await notesOf(requestId)).toEqual(['found after all']);
  expect(await lastAttempt(requestId)).toMatchObject({
    outcome: 'succeeded',
    channel: 'manual_phone_call',
    key_id: own.verifier.keyId,
    error_reason: null,
    correction_reason: WHY,
  });
  await happens(own);
  expect(await decided(await correct(own, '', FAILED))).toMatchObject({ kind: 'applied', version: 3 });
  expect(await theResult(store, caller, requestId)).toMatchObject({
    request: { state: 'error_verifying', error_reason: 'member_not_found' },
    insurance_data: [],
  });
  expect(await lastAttempt(requestId)).toMatchObject({
    outcome: 'failed',
    channel: 'manual_phone_call',
    error_reason: 'member_not_found',
  });
  expect(await deliveriesOf(requestId)).toEqual(['1 superseded', '2 superseded', '3 pending']);
  expect(await correct(own, '', FAILED)).toEqual({ kind: 'unchanged', version: 3 });
  const since = undefined;
  expect(await measureOwnDay(store, { caller: own.verifier, since })).toMatchObject({
    done_count: 0,
    failed_count: 1,
  });
});

const doneOf = async ({ verifier }: { readonly verifier: Caller }) => {
  const [done] = await listOwnDone(store, { caller: verifier, since: undefined });
  if (!done) throw new Error('Nothing is done.');
  return done;
};

// Without it a verifier learns neither that the correction waits nor what became of it.
test('what is done keeps its time, and has the correction that waits and its end', async () => {
  const own = await aResult();
  const { correction, ended_at: endedAt } = await doneOf(own);
  expect(correction).toBeNull();
  await age(own.requestId, 10);
  const held = await correct(own, 'right');
  if (held.kind !== 'held') return expect.fail(`It was not held: ${held.kind}.`);
  const waiting = await doneOf(own);
  const undecided = { decided_at: null, decided_by_name: null, note: null };
  expect(waiting).toMatchObject({
    ended_at: endedAt,
    result_version: 1,
    correction: { status: 'held', reason: WHY, ...undecided },
  });
  await dismissHeldOutput(store, { caller: operator, heldId: held.heldId, note: 'The card says Gold' });
  const dismissed = await doneOf(own);
  expect(dismissed.correction).toMatchObject({ status: 'dismissed', note: 'The card says Gold' });
  expect(dismissed.correction?.decided_at).not.toBeNull();
  const again = await correct(own, 'right after all');
  if (again.kind !== 'held') return expect.fail(`It was not held: ${again.kind}.`);
  await applyHeldOutput(store, { caller: operator, heldId: again.heldId });
  const applied = await doneOf(own);
  expect(applied).toMatchObject({
    ended_at: endedAt,
    attempt: 2,
    result_version: 2,
    correction: { status: 'applied', reason: WHY, decided_at: applied.applied_at, note: null },
  });
  expect(Date.parse(applied.correction?.corrected_at ?? '')).toBeLessThan(
    Date.parse(applied.applied_at ?? ''),
  );
});

test('one that is applied at once needs no decision', async () => {
  const own = await aResult();
  await correct(own, 'right');
  expect((await doneOf(own)).correction).toEqual({
    status: 'applied',
    corrected_at: expect.any(String),
    reason: WHY,
    decided_at: null,
    decided_by_name: null,
    note: null,
  });
});
