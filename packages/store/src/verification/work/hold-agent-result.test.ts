import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { accessLines } from '../../../test/ground/access-lines.ts';
import { anEntry } from '../../../test/ground/an-entry.ts';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { aPlatformCaller, anAccount, intake, submit } from '../../../test/ground/stages.ts';
import { theAttempts, theDeliveries, theHeldOutput, theRequest } from '../../../test/ground/the-stored.ts';
import { aRoute, claim, claimOne, submitFound, workQueue } from '../../../test/ground/work-queue.ts';
import {
  advanceWork,
  applyHeldOutput,
  type ClaimedWork,
  dismissHeldOutput,
  dismissHeldOutputs,
} from '../../index.ts';

const stores = await openTestStores();
const { store } = stores;
const queue = workQueue(stores);
const caller = await anAccount(store, { kind: 'platform' });
const operator = aPlatformCaller();

const ROUTE = aRoute(['agent_web_portal', 'manual_phone_call'], { holdsAgentResults: true });
const routes = [ROUTE];

const submitHeld = (work: ClaimedWork, note = 'Seen.', agent = aPlatformCaller()) =>
  submitFound(store, work, { routes, evidence: { note }, caller: agent });

/** A request whose agent's finding is held. */
async function aHeldFinding(agent = aPlatformCaller()) {
  await queue.empty();
  await intake(store, caller);
  const work = await claimOne(store, { routes, caller: agent });
  const submitted = await submitHeld(work, 'Seen.', agent);
  if (submitted.kind !== 'held') return expect.fail(`It was not held: ${submitted.kind}.`);
  return { work, requestId: work.requestId, heldId: submitted.heldId };
}

// Breaks if what an agent was talked into by a request, or made up, is delivered before a person has seen it.
test('what an agent found is held, whole, and nothing is delivered', async () => {
  const agent = aPlatformCaller();
  const { requestId, heldId } = await aHeldFinding(agent);
  expect(await theRequest(store, caller, requestId)).toMatchObject({ state: 'pending' });
  expect(await theDeliveries(store, caller, requestId)).toEqual([]);
  const { input } = await theRequest(store, caller, requestId);
  expect(await theHeldOutput(store, operator, heldId)).toMatchObject({
    reason: 'agent_result',
    request_id: requestId,
    output: { request: { request_id: requestId, input, state: 'complete' }, insurance_data: [anEntry()] },
  });
  expect(await theAttempts(store, caller, requestId)).toMatchObject([{ outcome: 'held', note: 'Seen.' }]);
  expect(await accessLines(stores, agent)).toContainEqual(['work.submit', requestId]);
});

// Breaks if two verifiers work on one request, or a held answer keeps other requests of the payer waiting.
test('meanwhile no other verifier is given the request, and it takes no room of its payer', async () => {
  await aHeldFinding();
  const crowded = [{ ...ROUTE, inFlightCountMax: 1 }];
  expect(
    await claim(store, { routes: crowded, channels: ['agent_web_portal', 'manual_phone_call'] }),
  ).toEqual([]);
  const { request_id: other } = await intake(store, caller);
  expect(await claimOne(store, { routes: crowded })).toMatchObject({ requestId: other });
});

test('applied, it is the result, and the agent’s attempt', async () => {
  const agent = aPlatformCaller();
  const { requestId, heldId } = await aHeldFinding(agent);
  expect(await applyHeldOutput(store, { caller: operator, heldId })).toMatchObject({
    kind: 'applied',
    version: 1,
  });
  expect(await theRequest(store, caller, requestId)).toMatchObject({ state: 'complete' });
  expect(await theAttempts(store, caller, requestId)).toMatchObject([
    { outcome: 'succeeded', result_version: 1, note: 'Seen.', key_id: agent.keyId },
  ]);
});

// Breaks if a patient waits for hours after a person said that the agent was wrong.
test.each([
  ['alone', (heldId: string) => dismissHeldOutput(store, { caller: operator, heldId })],
  ['with others', () => dismissHeldOutputs(store, { caller: operator, reason: 'agent_result', limit: 9 })],
])('dismissed %s, the request goes to the next channel at once', async (_, dismiss) => {
  const { requestId, heldId } = await aHeldFinding();
  await dismiss(heldId);
  await advanceWork(store, routes);
  expect(await queue.attempts(requestId)).toEqual(['1 agent_web_portal held']);
  expect(await claimOne(store, { routes, channels: ['manual_phone_call'] })).toMatchObject({
    requestId,
    channel: 'manual_phone_call',
    history: [{ outcome: 'held', note: 'Seen.' }],
  });
});

test('not looked at while it may stay in the channel, it passes on, and can still be applied', async () => {
  const { requestId, heldId } = await aHeldFinding();
  await advanceWork(store, routes);
  expect(await queue.row(requestId)).toMatchObject({ channel: 'agent_web_portal' });
  await queue.endTime(requestId);
  await advanceWork(store, routes);
  expect(await queue.row(requestId)).toMatchObject({ channel: 'manual_phone_call' });
  const person = await claimOne(store, { routes, channels: ['manual_phone_call'] });
  await applyHeldOutput(store, { caller: operator, heldId });
  expect(await queue.attempts(requestId)).toEqual([
    '1 agent_web_portal succeeded',
    '2 manual_phone_call superseded',
  ]);
  expect(await submitFound(store, person, { routes })).toEqual({ kind: 'lease_lost' });
});

// Breaks if a dismissal pulls a request from under the person who works on it by then.
test('dismissed when the next channel has it, it stays there', async () => {
  const { requestId, heldId } = await aHeldFinding();
  await queue.endTime(requestId);
  await advanceWork(store, routes);
  const person = await claimOne(store, { routes, channels: ['manual_phone_call'] });
  await dismissHeldOutput(store, { caller: operator, heldId });
  await advanceWork(store, routes);
  expect(await submitFound(store, person, { routes })).toEqual({ kind: 'applied', version: 1 });
});

// Breaks if an answer that was lost on the way makes the agent try again with a lease that is gone.
test('sent again under its lease it is answered as before; other data is not', async () => {
  const agent = aPlatformCaller();
  const { work, heldId } = await aHeldFinding(agent);
  expect(await submitHeld(work, 'Seen.', agent)).toEqual({ kind: 'held', heldId });
  const other = [anEntry({ verification_source: work.channel, notes: 'another' })];
  expect(await submitFound(store, work, { routes, caller: agent, insuranceData: other })).toEqual({
    kind: 'lease_lost',
  });
});

test('a person’s result on the same route, and an agent’s on another, are applied', async () => {
  await queue.empty();
  await intake(store, caller);
  const byHand = [aRoute(['manual_phone_call'], { holdsAgentResults: true })];
  const work = await claimOne(store, { routes: byHand, channels: ['manual_phone_call'] });
  expect(await submitFound(store, work, { routes: byHand })).toMatchObject({ kind: 'applied' });
  await intake(store, caller);
  const open = [aRoute(['agent_web_portal'])];
  expect(await submitFound(store, await claimOne(store, { routes: open }), { routes: open })).toMatchObject({
    kind: 'applied',
  });
});

// Breaks if posting an output leads past the look.
test('an output that an agent posts is held as well, one of a person is applied', async () => {
  const request = await intake(store, caller);
  const found = (verification_source: 'agent_phone_call' | 'manual_phone_call') =>
    anOutput(request, { insurance_data: [anEntry({ verification_source })] });
  const holds = { holdsAgentResults: true };
  expect(await submit(store, found('agent_phone_call'), holds)).toMatchObject({
    kind: 'held',
    reason: 'agent_result',
  });
  expect(await submit(store, found('manual_phone_call'), holds)).toMatchObject({ kind: 'applied' });
});
