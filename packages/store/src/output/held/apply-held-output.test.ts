import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { accessLines } from '../../../test/ground/access-lines.ts';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import {
  aFinishedRequest,
  anAccount,
  claimFor,
  finish,
  hold,
  intake,
  submit,
} from '../../../test/ground/stages.ts';
import {
  theRequest,
  theHeldOutput,
  theResult,
  theAttempts,
  theDeliveries,
} from '../../../test/ground/the-stored.ts';
import { aVerifier, claimOne, workQueue } from '../../../test/ground/work-queue.ts';
import { applyHeldOutput, dismissHeldOutput } from '../../index.ts';
import { issueId } from '../../issued-id.ts';

const stores = await openTestStores();
const { store, sql } = stores;
const caller = await anAccount(store, { kind: 'platform' });

const attemptsAt = (requestId: string) => theAttempts(store, caller, requestId);

// Without it a correction could never reach the receiver.
test('on a finished request it is the next version, a message of its own', async () => {
  const request = await aFinishedRequest(store, caller);
  const first = await claimFor(store, request.request_id);
  await finish(store, first);
  const output = anOutput(request, { notes: 'correction' });
  const heldId = await hold(store, output);
  expect(await applyHeldOutput(store, { caller, heldId })).toEqual({
    kind: 'applied',
    requestId: request.request_id,
    version: 2,
  });
  expect(await theResult(store, caller, request.request_id)).toMatchObject({
    insurance_data: output.insurance_data,
  });
  const second = await claimFor(store, request.request_id);
  expect(second.version).toBe(2);
  expect(second.deliveryId).not.toBe(first.deliveryId);
  expect(await theDeliveries(store, caller, request.request_id)).toMatchObject([
    { version: 1, status: 'delivered' },
    { version: 2, status: 'pending' },
  ]);
  expect(await theHeldOutput(store, caller, heldId)).toMatchObject({ status: 'applied' });
  expect(
    await sql(
      'select version, held_output_id, applied_by from result where request_id = $1 and version = 2',
      [request.request_id],
    ),
  ).toEqual([{ version: 2, held_output_id: heldId, applied_by: caller.keyId }]);
});

// Without it the provider, who reads the attempts, would see a finding that nobody has approved.
test('it is an attempt at the request from then on, and not before', async () => {
  const request = await aFinishedRequest(store, caller);
  const versions = async () =>
    (await attemptsAt(request.request_id)).map((attempt) => attempt.result_version);
  const heldId = await hold(store, anOutput(request, { notes: 'correction' }));
  expect(await versions()).toEqual([1]);
  await applyHeldOutput(store, { caller, heldId });
  expect(await versions()).toEqual([1, 2]);
});

// Without it the evidence would say that the operator called the payer, and the actual verifier would be lost.
test('its attempt names the verifier who submitted it, the audit the operator', async () => {
  const operator = await anAccount(store, { kind: 'platform' });
  const finder = aVerifier();
  for (const [sender, keyId] of [
    [{ caller: finder }, finder.keyId],
    [{ caller: null, trusted: false }, null],
  ] as const) {
    const request = await aFinishedRequest(store, caller);
    const heldId = await hold(store, anOutput(request, { notes: 'correction' }), sender);
    await applyHeldOutput(store, { caller: operator, heldId });
    expect(await attemptsAt(request.request_id)).toMatchObject([
      { number: 1, result_version: 1 },
      { number: 2, result_version: 2, key_id: keyId, outcome: 'succeeded', channel: 'agent_web_portal' },
    ]);
  }
  expect((await accessLines(stores, operator)).map(([operation]) => operation)).toEqual([
    'heldOutputs.apply',
    'heldOutputs.apply',
  ]);
});

// Without it a verifier still working on the request would be credited with another's finding.
test.each([
  ['the verifier’s own attempt', true, ['1 agent_web_portal succeeded 1']],
  ['the operator’s', false, ['1 agent_web_portal superseded', '2 agent_web_portal succeeded 1']],
])('of an attempt that is under way, %s ends so', async (_, isFinders, lines) => {
  const [finder, operator] = [aVerifier(), aVerifier()];
  await workQueue(stores).empty();
  const request = await intake(store, caller);
  await claimOne(store, { caller: isFinders ? finder : operator });
  const heldId = await hold(store, anOutput(request), { trusted: false, caller: finder });
  await applyHeldOutput(store, { caller: operator, heldId });
  const attempts = await attemptsAt(request.request_id);
  expect(
    attempts.map(({ number, channel, outcome, result_version }) =>
      [number, channel, outcome, result_version].join(' ').trim(),
    ),
  ).toEqual(lines);
  expect(attempts.at(-1)?.key_id).toBe(finder.keyId);
});

// Without it a stale result could leave the queue last.
test('it ends the unfinished delivery before it, also one that a worker holds at that moment', async () => {
  const request = await aFinishedRequest(store, caller);
  const heldId = await hold(store, anOutput(request, { notes: 'correction' }));
  const leased = await claimFor(store, request.request_id);
  await applyHeldOutput(store, { caller, heldId });
  const after = async () => [
    await theDeliveries(store, caller, request.request_id),
    await theRequest(store, caller, request.request_id),
  ];
  const before = await after();
  expect(before[0]).toMatchObject([
    { status: 'superseded', next_attempt_at: null, attempts: [] },
    { status: 'pending' },
  ]);
  expect(await finish(store, leased)).toBe(false);
  expect(
    await finish(store, leased, { next: { kind: 'exhausted', reason: 'webhook_gone' }, outcome: 'gone' }),
  ).toBe(false);
  expect(await after()).toEqual(before);
});

// Without it a correction would still show the failed delivery of its predecessor.
test('it starts the delivery state over', async () => {
  const request = await aFinishedRequest(store, caller);
  await finish(store, await claimFor(store, request.request_id), {
    outcome: 'gone',
    next: { kind: 'exhausted', reason: 'webhook_gone' },
  });
  await applyHeldOutput(store, { caller, heldId: await hold(store, anOutput(request, { notes: 'x' })) });
  expect(await theRequest(store, caller, request.request_id)).toMatchObject({
    state: 'complete',
    error_reason: null,
  });
});

// Without it an untrusted sender's output could never be used, even after review.
test('an untrusted output for an unfinished request becomes its first result', async () => {
  const request = await intake(store, caller);
  const heldId = await hold(store, anOutput(request), { trusted: false, caller: null });
  expect(await applyHeldOutput(store, { caller, heldId })).toEqual({
    kind: 'applied',
    requestId: request.request_id,
    version: 1,
  });
});

// Without it an output without our id would have to be typed in again.
test('an unmatched output needs a request that the operator names', async () => {
  const request = await intake(store, caller);
  const heldId = await hold(store, anOutput(request, { request_id: 'their-id' }));
  expect(await applyHeldOutput(store, { caller, heldId })).toEqual({ kind: 'no_target' });
  for (const requestId of ['', '\0', 'req_x', issueId('req')]) {
    expect(await applyHeldOutput(store, { caller, heldId, requestId })).toEqual({ kind: 'unknown_request' });
  }
  expect(await theHeldOutput(store, caller, heldId)).toMatchObject({ status: 'held' });
  expect(await applyHeldOutput(store, { caller, heldId, requestId: request.request_id })).toEqual({
    kind: 'applied',
    requestId: request.request_id,
    version: 1,
  });
});

// Without it nobody looking at the wrongly named request later could find out where its output went.
test('applied to another request it is logged with both', async () => {
  const operator = await anAccount(store, { kind: 'platform' });
  const [named, right] = [await aFinishedRequest(store, caller), await intake(store, caller)];
  const heldId = await hold(store, anOutput(named, { notes: 'for the other' }));
  expect(await applyHeldOutput(store, { caller: operator, heldId, requestId: right.request_id })).toEqual({
    kind: 'applied',
    requestId: right.request_id,
    version: 1,
  });
  expect((await accessLines(stores, operator)).toSorted()).toEqual(
    [
      ['heldOutputs.apply', named.request_id],
      ['heldOutputs.apply', right.request_id],
    ].toSorted(),
  );
  expect(await theResult(store, caller, named.request_id)).toMatchObject({ insurance_data: [{}] });
  expect(await theDeliveries(store, caller, named.request_id)).toHaveLength(1);
});

// Without it a report of progress would end a request without a finding.
test('an output that reports progress is not a result', async () => {
  const request = await intake(store, caller);
  const heldId = await hold(store, anOutput(request, { request_id: null, state: 'pending' }));
  expect(await applyHeldOutput(store, { caller, heldId, requestId: request.request_id })).toEqual({
    kind: 'not_a_result',
  });
  expect(await theHeldOutput(store, caller, heldId)).toMatchObject({ status: 'held' });
});

// Without it a second click would send the receiver a third version.
test('what was applied or dismissed is settled', async () => {
  const request = await aFinishedRequest(store, caller);
  const [applied, dismissed] = [
    await hold(store, anOutput(request, { notes: 'a' })),
    await hold(store, anOutput(request, { notes: 'b' })),
  ];
  await applyHeldOutput(store, { caller, heldId: applied });
  expect(await dismissHeldOutput(store, { caller, heldId: dismissed, note: 'no' })).toEqual({
    kind: 'dismissed',
  });
  for (const heldId of [applied, dismissed]) {
    expect(await applyHeldOutput(store, { caller, heldId })).toEqual({ kind: 'settled' });
    expect(await dismissHeldOutput(store, { caller, heldId, note: 'changed' })).toEqual({ kind: 'settled' });
  }
  expect(await theHeldOutput(store, caller, dismissed)).toMatchObject({ status: 'dismissed', note: 'no' });
  expect(await theHeldOutput(store, caller, applied)).toMatchObject({ status: 'applied', note: null });
  expect(await theDeliveries(store, caller, request.request_id)).toHaveLength(2);
});

// Without it an operator would be asked for a request, or told of progress, where there is nothing left to do.
test('what was dismissed is settled before anything else is asked of it', async () => {
  const request = await intake(store, caller);
  for (const state of ['complete', 'pending'] as const) {
    const heldId = await hold(store, anOutput(request, { request_id: null, state }));
    await dismissHeldOutput(store, { caller, heldId });
    expect(await applyHeldOutput(store, { caller, heldId })).toEqual({ kind: 'settled' });
  }
});

// Without it the sender of the correction would be told forever that it is held.
test('the applied correction sent again is the current result', async () => {
  const request = await aFinishedRequest(store, caller);
  const output = anOutput(request, { notes: 'correction' });
  await applyHeldOutput(store, { caller, heldId: await hold(store, output) });
  expect(await submit(store, output)).toEqual({ kind: 'unchanged', version: 2 });
  expect(await submit(store, anOutput(request))).toMatchObject({ kind: 'held', reason: 'superseding' });
});
