import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { accessLines } from '../../../test/ground/access-lines.ts';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { anAccount, intake, submit } from '../../../test/ground/stages.ts';
import { theRequest, theAttempts, theDeliveries } from '../../../test/ground/the-stored.ts';
import {
  aVerifier,
  claim,
  claimOne,
  fail,
  LEASE_SECONDS,
  submitFound,
  workQueue,
} from '../../../test/ground/work-queue.ts';
import { advanceWork, applyHeldOutput, closeRequest, heartbeatWork, listAttempts } from '../../index.ts';

const stores = await openTestStores();
const { store, sql } = stores;
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

test('the evidence is the account’s and the operator’s to read, and nobody else’s', async () => {
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
