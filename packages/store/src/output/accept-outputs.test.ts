import type { HeldReason, ResponseModel } from '@insurance-verification/schema';
import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { accessLines } from '../../test/ground/access-lines.ts';
import { anEntry } from '../../test/ground/an-entry.ts';
import { acceptAll } from '../../test/ground/one-by-one.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { aFinishedRequest, anAccount, aPlatformCaller, intake, PAYER_ID } from '../../test/ground/stages.ts';
import { theDeliveries, theRequest, theResult } from '../../test/ground/the-stored.ts';
import { aVerifier, claimOne, workQueue } from '../../test/ground/work-queue.ts';
import { EVERYWHERE } from '../access/reach.ts';
import { SealBrokenError } from '../encryption/seal.ts';
import { lockRequest } from '../intake/lock-request.ts';
import { acceptOutputs } from './accept-outputs.ts';
import type { SubmittedOutput } from './submitted-output.ts';

const stores = await openTestStores();
const { store, rival, sql } = stores;
const queue = workQueue(stores);
const caller = await anAccount(store);

const submitted = (output: ResponseModel, facts: Partial<SubmittedOutput> = {}): SubmittedOutput => ({
  output,
  payerId: PAYER_ID,
  caller: aPlatformCaller(),
  client: null,
  trusted: true,
  holdsAgentResults: false,
  ...facts,
});
const applied = { kind: 'applied', version: 1 };
const someRequests = (count: number) =>
  Promise.all(Array.from({ length: count }, () => intake(store, caller)));
const versionOf = async (requestId: string) => (await queue.row(requestId))['version'];

// Without it a burst would cost the database as much as separate results, or mix up requests.
test('results of one list are written by one statement, each to its own request and receiver', async () => {
  const requests = await someRequests(5);
  const verifier = aPlatformCaller();
  const outputs = requests.map((request, index) => anOutput(request, { notes: `finding ${index}` }));
  const answers = await acceptAll(
    store,
    outputs.map((output) => submitted(output, { caller: verifier })),
  );
  expect(answers).toEqual(requests.map(() => applied));
  for (const [index, { request_id: id }] of requests.entries()) {
    expect(await theResult(store, caller, id)).toMatchObject({
      insurance_data: [{ notes: `finding ${index}` }],
    });
    expect(await theDeliveries(store, caller, id)).toMatchObject([{ version: 1, status: 'pending' }]);
    expect(await queue.attempts(id)).toEqual(['1 agent_web_portal succeeded']);
  }
  const ids = requests.map(({ request_id: id }) => id);
  expect(await sql('select distinct xmin::text from result where request_id = any ($1)', [ids])).toHaveLength(
    1,
  );
  expect((await accessLines(stores, verifier)).toSorted()).toEqual(
    ids.map((id) => ['verificationOutput.submit', id]).toSorted(),
  );
});

// Without it an output of another row of the table would be sent because it arrived with others.
test('every other case in a list is decided as it would be alone', async () => {
  const [fine, pending, untrusted, mismatch, otherPayer, unreachable] = await someRequests(6);
  if (!fine || !pending || !untrusted || !mismatch || !otherPayer || !unreachable) throw new Error('Six.');
  const finished = await aFinishedRequest(store, caller);
  const stranger = anEntry({ patient_info: { subscriber_id: 'X', dob: '1999-09-09' } });
  const answers = await acceptAll(store, [
    submitted(anOutput(fine)),
    submitted(anOutput(fine, { notes: 'another of the same request' })),
    submitted(anOutput(pending, { state: 'pending' })),
    submitted(anOutput(untrusted), { trusted: false, caller: null }),
    submitted(anOutput(mismatch, { insurance_data: [stranger] })),
    submitted(anOutput(otherPayer), { payerId: 'plan-2' }),
    submitted(anOutput(unreachable), { caller: aPlatformCaller('test') }),
    submitted(anOutput(finished, { notes: 'a correction' })),
    submitted(anOutput(fine, { request_id: 'req_x' })),
    submitted(anOutput(fine, { request_id: '\0' })),
    submitted(anOutput(fine, { request_id: null })),
  ]);
  const held = (reason: HeldReason) => ({
    kind: 'held',
    reason,
    heldId: expect.stringMatching(/^held_/),
    displacedCount: 0,
  });
  expect(answers).toEqual([
    applied,
    held('superseding'),
    { kind: 'progress' },
    held('untrusted'),
    held('input_mismatch'),
    held('input_mismatch'),
    held('unmatched'),
    held('superseding'),
    held('unmatched'),
    held('unmatched'),
    held('unmatched'),
  ]);
  for (const { request_id: id } of [pending, untrusted, mismatch, otherPayer, unreachable])
    expect(await theRequest(store, caller, id)).toMatchObject({ state: 'pending' });
  expect(await theResult(store, caller, finished.request_id)).not.toMatchObject({
    insurance_data: [{ notes: 'a correction' }],
  });
});

// Without it a verifier that repeats a burst, having missed the answers, would get 503.
test('results that stand, sent again, change nothing and are on record', async () => {
  const verifier = aPlatformCaller();
  const again = [await aFinishedRequest(store, caller), await aFinishedRequest(store, caller)];
  const [fresh] = await someRequests(1);
  if (!fresh) throw new Error('One.');
  const rowsBefore = await Promise.all(again.map(({ request_id: id }) => queue.row(id)));
  const outputs = [...again, fresh].map((request) => submitted(anOutput(request), { caller: verifier }));
  const unchanged = { kind: 'unchanged', version: 1 };
  expect(await acceptAll(store, outputs)).toEqual([unchanged, unchanged, applied]);
  expect(await Promise.all(again.map(({ request_id: id }) => queue.row(id)))).toEqual(rowsBefore);
  expect(await accessLines(stores, verifier)).toHaveLength(3);
  const [strangers] = await sql<{ count: number }>('select count(*)::int from access_log');
  await acceptAll(
    store,
    again.map((request) => submitted(anOutput(request), { caller: null })),
  );
  expect(await sql('select count(*)::int from access_log')).toEqual([strangers]);
});

// Without it one request locked for a second would keep sixty other receivers waiting.
test('a request that another transaction holds is waited for alone, and the others are answered meanwhile', async () => {
  const [held, ...free] = await someRequests(3);
  if (!held) throw new Error('Three.');
  const [ofHeld, ...ofFree] = await rival.db.transaction().execute(async (trx) => {
    await lockRequest(trx, held.request_id, EVERYWHERE);
    const answers = await acceptOutputs(
      store,
      [held, ...free].map((request) => submitted(anOutput(request))),
    );
    expect(await Promise.all(answers.slice(1))).toEqual([applied, applied]);
    expect(await versionOf(held.request_id)).toBe(0);
    return answers;
  });
  expect([await ofHeld, ofFree.length]).toEqual([applied, 2]);
});

// Without it a damaged row would fail its neighbours' results as well.
test('of a request that does not open the output is refused, and the others are applied', async () => {
  const [broken, fine] = await someRequests(2);
  if (!broken || !fine) throw new Error('Two.');
  await sql(`update request set input = '\\x00' where id = $1`, [broken.request_id]);
  const outputs = [broken, fine].map((request) => submitted(anOutput(request)));
  expect(await Promise.allSettled(await acceptOutputs(store, outputs))).toEqual([
    { status: 'rejected', reason: expect.any(SealBrokenError) },
    { status: 'fulfilled', value: applied },
  ]);
});

// Without it a result that the database refuses would fail all that arrived with it.
test('when the statement fails because of one, that one is refused, and by themselves all others are applied', async () => {
  const [poison, ...fine] = await someRequests(3);
  if (!poison) throw new Error('Three.');
  await sql(
    `insert into result (request_id, version, outcome, body, digest) values ($1, 1, 'complete', '', '')`,
    [poison.request_id],
  );
  const outputs = [poison, ...fine].map((request) => submitted(anOutput(request)));
  expect(await Promise.allSettled(await acceptOutputs(store, outputs))).toMatchObject([
    { status: 'rejected' },
    { status: 'fulfilled', value: applied },
    { status: 'fulfilled', value: applied },
  ]);
});

// Without it the evidence would name the wrong verifier, or a lease would outlive the result.
test('of verifiers at work the one who hands in ends its attempt, another is superseded', async () => {
  await queue.empty();
  const [verifier, other] = [aVerifier(), aVerifier()];
  await someRequests(2);
  const own = await claimOne(store, { caller: verifier });
  const foreign = await claimOne(store, { caller: other });
  const answers = await acceptAll(
    store,
    [own, foreign].map((work) => submitted(anOutput(work.request), { caller: verifier })),
  );
  expect(answers).toEqual([applied, applied]);
  expect(await queue.attempts(own.requestId)).toEqual(['1 agent_web_portal succeeded']);
  expect(await queue.attempts(foreign.requestId)).toEqual([
    '1 agent_web_portal superseded',
    '2 agent_web_portal succeeded',
  ]);
  for (const { requestId } of [own, foreign])
    expect(await queue.row(requestId)).toMatchObject({ lease: null, leased_until: null });
});

// Without it (fault 13) two processes that write the same lists at once would deliver twice, or deadlock.
test('lists with the same requests over two processes make one result of each', async () => {
  for (let round = 0; round < 20; round += 1) {
    const requests = await someRequests(8);
    const lists = [requests, requests.toReversed()].map((list) =>
      list.map((one) => submitted(anOutput(one))),
    );
    const [first = [], second = []] = await Promise.all(
      [store, rival].map((one, index) => acceptAll(one, lists[index] ?? [])),
    );
    const appliedCounts = requests.map(
      (_, index) =>
        [first[index], second.toReversed()[index]].filter((answer) => answer?.kind === 'applied').length,
    );
    expect(appliedCounts.every((count) => count <= 1)).toBe(true);
    const ids = requests.map(({ request_id: id }) => id);
    const [counts] = await sql<{ results: number; deliveries: number }>(
      `select (select count(*)::int from result where request_id = any ($1)) as results,
        (select count(*)::int from delivery where request_id = any ($1)) as deliveries`,
      [ids],
    );
    const total = appliedCounts.reduce((sum, count) => sum + count, 0);
    expect(counts).toEqual({ results: total, deliveries: total });
  }
});
