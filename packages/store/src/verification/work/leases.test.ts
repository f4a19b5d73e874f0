import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { accessLines } from '../../../test/ground/access-lines.ts';
import { anEntry } from '../../../test/ground/an-entry.ts';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { anAccount, claimFor, intake, submit } from '../../../test/ground/stages.ts';
import { theAttempts, theDeliveries, theRequest, theResult } from '../../../test/ground/the-stored.ts';
import {
  aVerifier,
  claim,
  claimOne,
  fail,
  LEASE_SECONDS,
  release,
  submitFound,
  workQueue,
} from '../../../test/ground/work-queue.ts';
import { advanceWork, applyHeldOutput, closeRequest, heartbeatWork, listAttempts } from '../../index.ts';
import { issueId } from '../../issued-id.ts';

const stores = await openTestStores();
const { store, rival, sql } = stores;
const queue = workQueue(stores);
const caller = await anAccount(store);

const aLease = async () => {
  await queue.empty();
  await intake(store, caller);
  return claimOne(store);
};
const heartbeat = (work: { requestId: string; leaseToken: string }) =>
  heartbeatWork(store, { ...work, caller: aVerifier(), leaseSeconds: LEASE_SECONDS });
const leaseColumns = { lease: null, leased_until: null };

// Without it a phone call longer than a lease would be taken over by someone else.
test('a heartbeat renews a lease that holds', async () => {
  const work = await aLease();
  await sql(`update work_queue set leased_until = now() + interval '1 second' where request_id = $1`, [
    work.requestId,
  ]);
  const renewed = await heartbeat(work);
  expect(renewed).toEqual({ kind: 'renewed', lease: { lease_expires_at: expect.any(String) } });
  const [row] = await sql<{ left: number }>(
    'select extract(epoch from leased_until - now())::float8 as left from work_queue where request_id = $1',
    [work.requestId],
  );
  expect(row?.left).toBeGreaterThan(LEASE_SECONDS - 5);
});

// Without it (a zombie) two verifiers would answer for one request, or one would undo the other's work.
test('a stale, foreign or malformed token changes nothing', async () => {
  const stale = await aLease();
  await queue.lapse(stale.requestId);
  const expectNothing = async (leaseToken: string) => {
    const before = [await queue.row(stale.requestId), await queue.attempts(stale.requestId)];
    const work = { ...stale, leaseToken };
    expect(await heartbeat(work)).toEqual({ kind: 'lease_lost' });
    expect(await release(rival, work)).toEqual({ kind: 'lease_lost' });
    expect(await fail(rival, work)).toEqual({ kind: 'lease_lost' });
    expect(await submitFound(rival, work)).toEqual({ kind: 'lease_lost' });
    expect([await queue.row(stale.requestId), await queue.attempts(stale.requestId)]).toEqual(before);
  };
  await expectNothing(stale.leaseToken); // lapsed, and not taken over yet
  const holder = await claimOne(rival);
  expect(holder.requestId).toBe(stale.requestId);
  await expectNothing(stale.leaseToken);
  await expectNothing('');
  await expectNothing('not a token');
  await expectNothing('not a token\0');
  expect(await submitFound(rival, holder)).toEqual({ kind: 'applied', version: 1 });
  await expectNothing(stale.leaseToken); // it was never submitted
  expect(await heartbeat(holder)).toEqual({ kind: 'lease_lost' });
  expect(await release(rival, holder)).toEqual({ kind: 'lease_lost' });
  expect(await fail(rival, holder)).toEqual({ kind: 'lease_lost' });
});

test('a request that does not exist is not found', async () => {
  for (const requestId of ['nonsense', issueId('req')]) {
    const work = { ...(await aLease()), requestId };
    expect(await heartbeat(work)).toEqual({ kind: 'not_found' });
    expect(await release(store, work)).toEqual({ kind: 'not_found' });
    expect(await fail(store, work)).toEqual({ kind: 'not_found' });
    expect(await submitFound(store, work)).toEqual({ kind: 'not_found' });
  }
});

// Without it a verifier who cannot do a request would cost it an attempt, or get it again at once.
test('a released request waits after the others and is charged nothing', async () => {
  const work = await aLease();
  const { request_id: other } = await intake(store, caller);
  const verifier = aVerifier();
  expect(await release(store, work, 'The portal asks for a code.')).toEqual({ kind: 'released' });
  expect(await queue.row(work.requestId)).toMatchObject({ ...leaseColumns, attempt_count: 0 });
  const claimed = [await claimOne(store, { caller: verifier }), await claimOne(store)];
  expect(claimed.map(({ requestId }) => requestId)).toEqual([other, work.requestId]);
  expect(claimed[1]?.history).toMatchObject([{ outcome: 'released', note: 'The portal asks for a code.' }]);
});

// Without it a leased request's result would lack what an accepted output's has: stored, delivered, logged.
test('a submission is the result, delivered, with its evidence', async () => {
  const work = await aLease();
  const verifier = aVerifier();
  const provenance = [{ field: '/0/plan_info/plan_name', source: 'Benefits page', quote: 'Gold' }];
  const submitted = await submitFound(store, work, {
    caller: verifier,
    evidence: { note: 'The second login worked.', reference: 'REF-77', provenance },
  });
  expect(submitted).toEqual({ kind: 'applied', version: 1 });
  expect(await theRequest(store, caller, work.requestId)).toMatchObject({ state: 'complete' });
  expect(await theResult(store, caller, work.requestId)).toMatchObject({
    insurance_data: [anEntry({ verification_source: 'agent_web_portal' })],
  });
  expect(await theDeliveries(store, caller, work.requestId)).toMatchObject([{ status: 'pending' }]);
  expect(await claimFor(store, work.requestId)).toMatchObject({ version: 1 });
  expect(await theAttempts(store, caller, work.requestId)).toMatchObject([
    {
      outcome: 'succeeded',
      result_version: 1,
      note: 'The second login worked.',
      reference: 'REF-77',
      provenance,
    },
  ]);
  expect(await accessLines(stores, verifier)).toEqual([['work.submit', work.requestId]]);
});

// Without it a result could name a channel that it does not come from, or be another patient's.
test('entries of another channel or about another patient are refused, and the lease still holds', async () => {
  const work = await aLease();
  const entry = anEntry({ verification_source: 'agent_web_portal' });
  const refused = (insuranceData: (typeof entry)[]) => submitFound(store, work, { insuranceData });
  const wrongSource = { ...entry, verification_source: 'manual_phone_call' as const };
  const wrongPatient = { ...entry, patient_info: { subscriber_id: 'X9', dob: '1999-09-09' } };
  expect(await refused([entry, wrongSource])).toEqual({
    kind: 'mismatch',
    mismatches: [{ kind: 'channel', index: 1 }],
  });
  expect(await refused([wrongPatient, entry])).toEqual({
    kind: 'mismatch',
    mismatches: [{ kind: 'another_patient', index: 0 }],
  });
  expect(await refused([{ ...entry, request_id: issueId('req') }])).toEqual({
    kind: 'mismatch',
    mismatches: [{ kind: 'another_patient', index: 0 }],
  });
  // Broke: the patient was checked only when every channel was right, so two faults took two rounds.
  const bothWrong = { ...wrongPatient, verification_source: wrongSource.verification_source };
  expect(await refused([wrongPatient, bothWrong])).toEqual({
    kind: 'mismatch',
    mismatches: [
      { kind: 'another_patient', index: 0 },
      { kind: 'channel', index: 1 },
      { kind: 'another_patient', index: 1 },
    ],
  });
  expect(await queue.attempts(work.requestId)).toEqual(['1 agent_web_portal working']);
  expect(await refused([entry])).toEqual({ kind: 'applied', version: 1 });
});

// A clinic's "Doe, Jane" and a payer's "Doe, J" are most often one; whether they are, only the verifier can tell.
test('an entry that may be about another patient is taken once the verifier confirms it, and the attempt says so', async () => {
  const work = await aLease();
  const entry = anEntry({
    verification_source: 'agent_web_portal',
    patient_info: { subscriber_id: 'W123456789', dob: '1984-05-17', name: 'Doe, J' },
  });
  expect(await submitFound(store, work, { insuranceData: [entry] })).toEqual({
    kind: 'mismatch',
    mismatches: [
      { kind: 'patient_unconfirmed', index: 0, sentence: 'the name does not show that it is the patient' },
    ],
  });
  const father = { ...entry, patient_info: { ...entry.patient_info, dob: '1950-01-01' } };
  expect(await submitFound(store, work, { insuranceData: [father], isPatientConfirmed: true })).toMatchObject(
    { kind: 'mismatch', mismatches: [{ kind: 'another_patient', index: 0 }] },
  );
  // Broke: a stranger behind a hundred doubtful entries was not looked at, and the confirmation let it in.
  const doubtful = (index: number) => ({
    ...entry,
    patient_info: { ...entry.patient_info, name: `Doe${index}, J` },
  });
  const behindMany = [...Array.from({ length: 150 }, (_, index) => doubtful(index)), father];
  expect(
    await submitFound(store, work, { insuranceData: behindMany, isPatientConfirmed: true }),
  ).toMatchObject({ kind: 'mismatch' });
  const confirmed = { isPatientConfirmed: true, evidence: { samePatientConfirmed: true } };
  expect(await submitFound(store, work, { insuranceData: [entry], ...confirmed })).toMatchObject({
    kind: 'applied',
  });
  const listed = await listAttempts(store, { caller, requestId: work.requestId, withInternals: true });
  expect(listed).toMatchObject({ kind: 'found', attempts: [{ same_patient_confirmed: true }] });
});

// Without it a request whose channels all failed would stay pending, and its provider would get nothing.
test('after the last channel a request ends with its reason, delivered', async () => {
  const work = await aLease();
  expect(await fail(store, work, { evidence: { note: 'No such member.' } })).toEqual({
    kind: 'next_channel',
    channel: 'manual_phone_call',
  });
  const call = await claimOne(store, { channels: ['manual_phone_call'] });
  expect(call.history).toMatchObject([{ note: 'No such member.' }]);
  expect(await fail(store, call, { errorReason: 'payer_refusal' })).toEqual({ kind: 'error_verifying' });
  expect(await theRequest(store, caller, work.requestId)).toMatchObject({
    state: 'error_verifying',
    error_reason: 'payer_refusal',
  });
  expect(await theDeliveries(store, caller, work.requestId)).toMatchObject([{ status: 'pending' }]);
  expect(await queue.attempts(work.requestId)).toEqual([
    '1 agent_web_portal failed member_not_found',
    '2 manual_phone_call failed payer_refusal',
  ]);
  expect(await claim(store, { channels: ['manual_phone_call', 'agent_web_portal'] })).toEqual([]);
});

test('a final failure ends a request in its first channel', async () => {
  const work = await aLease();
  expect(await fail(store, work, { final: true, errorReason: 'not_in_plan' })).toEqual({
    kind: 'error_verifying',
  });
  expect(await theRequest(store, caller, work.requestId)).toMatchObject({ error_reason: 'not_in_plan' });
});

// Without it a verifier would continue a call about a finished request, and submit a second answer.
test('an output, a closing and a correction void the lease, and the attempt shows it', async () => {
  const output = await aLease();
  expect(await submit(store, anOutput(output.request))).toMatchObject({ kind: 'applied' });
  const closed = await aLease();
  await closeRequest(store, {
    caller,
    requestId: closed.requestId,
    reason: 'withdrawn',
  });
  const held = await aLease();
  const holding = await submit(store, anOutput(held.request), { trusted: false });
  if (holding.kind !== 'held') throw new Error(holding.kind);
  expect(await queue.row(held.requestId)).toMatchObject({ lease: held.leaseToken });
  await applyHeldOutput(store, { caller: aVerifier(), heldId: holding.heldId });
  for (const work of [output, closed, held]) {
    expect(await queue.row(work.requestId)).toMatchObject(leaseColumns);
    expect(await heartbeat(work)).toEqual({ kind: 'lease_lost' });
    expect(await submitFound(store, work)).toEqual({ kind: 'lease_lost' });
  }
  expect(await queue.attempts(output.requestId)).toEqual([
    '1 agent_web_portal superseded',
    '2 agent_web_portal succeeded',
  ]);
  expect(await queue.attempts(closed.requestId)).toEqual(['1 agent_web_portal superseded']);
});

// Without it the evidence would show two attempts of a verifier who leased a request and submitted it as an output.
test('an output of the key that holds the lease ends its own attempt', async () => {
  await queue.empty();
  await intake(store, caller);
  const verifier = aVerifier();
  const work = await claimOne(store, { caller: verifier });
  await submit(store, anOutput(work.request), { caller: verifier });
  expect(await queue.attempts(work.requestId)).toEqual(['1 agent_web_portal succeeded']);
});

// Without it (point 3) a second source that disagrees would be lost, or overwrite the first.
test('two sources that disagree are both kept', async () => {
  const work = await aLease();
  const other = await submit(store, anOutput(work.request, { notes: 'Inactive, says the phone.' }), {
    trusted: false,
  });
  if (other.kind !== 'held') throw new Error(other.kind);
  expect(await submitFound(store, work)).toEqual({ kind: 'applied', version: 1 });
  await applyHeldOutput(store, { caller: aVerifier(), heldId: other.heldId });
  const versions = await sql('select version from result where request_id = $1 order by version', [
    work.requestId,
  ]);
  expect(versions).toEqual([{ version: 1 }, { version: 2 }]);
  expect(await theAttempts(store, caller, work.requestId)).toMatchObject([
    { number: 1, result_version: 1 },
    { number: 2, result_version: 2 },
  ]);
});

test('the evidence is only the account’s and the operator’s to read', async () => {
  const { requestId } = await aLease();
  const other = await anAccount(store);
  const list = (who: typeof caller, id = requestId) =>
    listAttempts(store, { caller: who, requestId: id, withInternals: false });
  expect(await list(other)).toEqual({ kind: 'not_found' });
  const [attempt] = await theAttempts(store, { ...other, acrossAccounts: true }, requestId);
  expect(attempt).toMatchObject({ number: 1, note: null, key_id: expect.any(String) });
  const { note: _, key_id: __, ...shown } = attempt ?? {};
  expect(await list(caller)).toEqual({ kind: 'found', attempts: [shown] });
  expect(await list({ ...caller, acrossAccounts: true }, 'nonsense')).toEqual({ kind: 'not_found' });
  expect(await accessLines(stores, other)).toEqual([['requests.attempts', requestId]]);
  await advanceWork(store, []);
});
