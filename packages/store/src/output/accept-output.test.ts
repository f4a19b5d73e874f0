import type { HeldReason, ResponseModel } from '@insurance-verification/schema';
import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { accessLines } from '../../test/ground/access-lines.ts';
import { anEntry } from '../../test/ground/an-entry.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { aFinishedRequest, anAccount, aPlatformCaller, intake, PAYER_ID } from '../../test/ground/stages.ts';
import { theDeliveries, theRequest, theResult } from '../../test/ground/the-stored.ts';
import { aVerifier, claimOne, workQueue } from '../../test/ground/work-queue.ts';
import { DecryptionError } from '../encryption/encrypt.ts';
import { acceptOutput, type SubmittedOutput } from './accept-output.ts';

const stores = await openTestStores();
const { store, sql } = stores;
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

// Without it a result would be stored without its delivery, its evidence or its entry in the audit.
test('a first result writes the result, the delivery, the attempt and the entry', async () => {
  const request = await intake(store, caller);
  const { request_id: id } = request;
  const verifier = aPlatformCaller();
  expect(
    await acceptOutput(store, submitted(anOutput(request, { notes: 'found' }), { caller: verifier })),
  ).toEqual(applied);
  expect(await theResult(store, caller, id)).toMatchObject({ insurance_data: [{ notes: 'found' }] });
  expect(await theDeliveries(store, caller, id)).toMatchObject([{ version: 1, status: 'pending' }]);
  expect(await queue.attempts(id)).toEqual(['1 agent_web_portal succeeded']);
  expect(await accessLines(stores, verifier)).toEqual([['verificationOutput.submit', id]]);
});

// Without it a result that must wait for an operator would be delivered.
test('each case of the table of dispositions is decided by its row', async () => {
  const [fine, pending, untrusted, mismatch, otherPayer, unreachable] = await someRequests(6);
  if (!fine || !pending || !untrusted || !mismatch || !otherPayer || !unreachable) throw new Error('Six.');
  const finished = await aFinishedRequest(store, caller);
  const anonymous = anEntry({ patient_info: { subscriber_id: 'X', dob: '1999-09-09' } });
  const outputs = [
    submitted(anOutput(fine)),
    submitted(anOutput(fine, { notes: 'another of the same request' })),
    submitted(anOutput(pending, { state: 'pending' })),
    submitted(anOutput(untrusted), { trusted: false, caller: null }),
    submitted(anOutput(mismatch, { insurance_data: [anonymous] })),
    submitted(anOutput(otherPayer), { payerId: 'plan-2' }),
    submitted(anOutput(unreachable), { caller: aPlatformCaller('test') }),
    submitted(anOutput(finished, { notes: 'a correction' })),
    submitted(anOutput(fine, { request_id: 'req_x' })),
    submitted(anOutput(fine, { request_id: '\0' })),
    submitted(anOutput(fine, { request_id: null })),
  ];
  const answers = [];
  for (const output of outputs) answers.push(await acceptOutput(store, output));
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

// Without it a verifier that missed the answer and repeats the output would change the result, or leave no trace.
test('the current result, sent again, changes nothing and is on record', async () => {
  const verifier = aPlatformCaller();
  const request = await aFinishedRequest(store, caller);
  const rowBefore = await queue.row(request.request_id);
  const unchanged = { kind: 'unchanged', version: 1 };
  const again = submitted(anOutput(request), { caller: verifier });
  expect(await acceptOutput(store, again)).toEqual(unchanged);
  expect(await queue.row(request.request_id)).toEqual(rowBefore);
  expect(await accessLines(stores, verifier)).toHaveLength(1);
  const before = await sql<{ count: number }>('select count(*)::int from access_log');
  expect(await acceptOutput(store, { ...again, caller: null })).toEqual(unchanged);
  expect(await sql('select count(*)::int from access_log')).toEqual(before);
});

// Without it the caller would be told that a result is stored which does not open.
test('the output of a request that does not open is refused', async () => {
  const broken = await intake(store, caller);
  await sql(`update request set input = '\\x00' where id = $1`, [broken.request_id]);
  await expect(acceptOutput(store, submitted(anOutput(broken)))).rejects.toThrow(DecryptionError);
});

// Without it the evidence would name the wrong verifier, or a lease would outlive the result.
test('the verifier that submits ends its own attempt, and supersedes that of another', async () => {
  await queue.empty();
  const [verifier, other] = [aVerifier(), aVerifier()];
  await someRequests(2);
  const own = await claimOne(store, { caller: verifier });
  const foreign = await claimOne(store, { caller: other });
  for (const work of [own, foreign])
    expect(await acceptOutput(store, submitted(anOutput(work.request), { caller: verifier }))).toEqual(
      applied,
    );
  expect(await queue.attempts(own.requestId)).toEqual(['1 agent_web_portal succeeded']);
  expect(await queue.attempts(foreign.requestId)).toEqual([
    '1 agent_web_portal superseded',
    '2 agent_web_portal succeeded',
  ]);
  for (const { requestId } of [own, foreign])
    expect(await queue.row(requestId)).toMatchObject({ lease: null, leased_until: null });
});
