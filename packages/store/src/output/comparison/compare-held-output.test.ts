import type { InsurancePlanData } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { accessLines } from '../../../test/ground/access-lines.ts';
import { anEntry } from '../../../test/ground/an-entry.ts';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { aFinishedRequest, anAccount, hold, intake, PAYER_ID } from '../../../test/ground/stages.ts';
import { applyHeldOutput, compareHeldOutput, dismissHeldOutput } from '../../index.ts';
import { issueId } from '../../issued-id.ts';

const stores = await openTestStores();
const { store } = stores;
const caller = await anAccount(store, { kind: 'platform' });

async function compared(heldId: string, requestId?: string) {
  const answer = await compareHeldOutput(store, { caller, heldId, requestId, payerIdOf: () => PAYER_ID });
  if (answer.kind !== 'compared') throw new Error(answer.kind);
  return answer.comparison;
}

const differing = ({ values }: Awaited<ReturnType<typeof compared>>) =>
  values.flatMap(({ field, asked_difference: asked, standing_difference: standing }) =>
    asked === 'none' && standing === 'none' ? [] : [[field, asked, standing]],
  );

// Without it an operator would apply one patient's coverage to another, whose member id differs in two digits.
test('another patient: the test that failed, the values, and how they differ', async () => {
  const patient = { subscriber_id: 'W123456789', dob: '1984-05-17', name: 'Jane Doe' };
  const request = await intake(store, caller, aRequest({ patient_info: patient }));
  const other = { ...patient, subscriber_id: 'W123456798', name: 'Doe, Jane' };
  const output = anOutput(request, {
    insurance_data: [anEntry({ patient_info: { subscriber_id: 'X1', dob: '1991-01-01' } })],
  });
  const heldId = await hold(store, {
    ...output,
    request: { ...output.request, input: { ...output.request.input, patient_info: other } },
  });
  const comparison = await compared(heldId);
  expect(comparison.sentence).toBe(
    'Held as a mismatch: the member id differs and in the coverage the birth date and the member id differ.',
  );
  expect(comparison.failed_tests.map(({ test: name, coverage }) => [name, coverage])).toEqual([
    ['member_id', null],
    ['coverage_patient', 0],
  ]);
  expect(differing(comparison)).toEqual([
    ['/request/input/patient_info/subscriber_id', 'swapped', 'none'],
    ['/request/input/patient_info/name', 'near', 'none'],
    ['/insurance_data/0/patient_info/subscriber_id', 'different', 'none'],
    ['/insurance_data/0/patient_info/dob', 'different', 'none'],
  ]);
  expect(comparison.receiver).toEqual({
    account_id: caller.accountId,
    account_name: 'Clinic',
    host: new URL(request.input.callback_url).host,
  });
});

test('a correction: what differs from the current result', async () => {
  const request = await aFinishedRequest(store, caller);
  const comparison = await compared(await hold(store, anOutput(request, { notes: 'another' })));
  expect(comparison.standing).not.toBeNull();
  expect(comparison.failed_tests.map(({ test: name }) => name)).toEqual(['first_result']);
  expect(comparison.sentence).toMatch(
    /^Held as a second result: the request has a result already, and this one differs in the .+\.$/,
  );
  expect(differing(comparison).map(([, asked]) => asked)).not.toContain('different');
});

// Broke: only eight fields of a coverage were compared, and the page said "this one says the same".
test('a correction of a single field, whichever, does not say the same', async () => {
  const request = await aFinishedRequest(store, caller);
  const [coverage] = anOutput(request).insurance_data;
  if (!coverage) throw new Error('An output has a coverage.');
  const offering = async (changes: Partial<InsurancePlanData>) => {
    const heldId = await hold(store, anOutput(request, { insurance_data: [{ ...coverage, ...changes }] }));
    const comparison = await compared(heldId);
    return [comparison.sentence.split('differs in the ')[1], differing(comparison)];
  };
  expect(await offering({ verification_source: 'manual_phone_call' })).toEqual([
    'channel.',
    [['/insurance_data/0/verification_source', 'none', 'different']],
  ]);
  expect(await offering({ patient_info: { ...coverage.patient_info, address: '2 Main Street' } })).toEqual([
    'address at the payer.',
    [['/insurance_data/0/patient_info/address', 'different', 'added']],
  ]);
  expect(await offering({ request_id: request.request_id })).toEqual([
    'request that it answers.',
    [['/insurance_data/0/request_id', 'none', 'added']],
  ]);
});

test('that a webhook failed elsewhere is no difference to a complete result', async () => {
  const request = await aFinishedRequest(store, caller);
  const elsewhere = {
    state: 'error_sending_webhook',
    error_reason: 'receiver_gone',
    notes: 'another',
  } as const;
  const comparison = await compared(await hold(store, anOutput(request, elsewhere)));
  expect(differing(comparison)).toEqual([['/insurance_data/0/notes', 'none', 'different']]);
});

test('a failure instead of a result: the outcome, the reason, and how much is gone', async () => {
  const request = await aFinishedRequest(store, caller);
  const failed = { state: 'error_verifying', error_reason: 'member_not_found' } as const;
  const comparison = await compared(await hold(store, anOutput(request, { ...failed, insurance_data: [] })));
  expect(comparison.sentence).toMatch(/, and this one differs in \d+ values\.$/);
  expect(differing(comparison).slice(0, 2)).toEqual([
    ['/request/state', 'none', 'different'],
    ['/request/error_reason', 'none', 'added'],
  ]);
});

// Broke: what the request left out agreed with whatever an output claimed of it.
test('what an output says was asked, and was not, is only offered', async () => {
  const { name: _, ...patient } = aRequest().patient_info;
  const request = await intake(store, caller, aRequest({ patient_info: patient }));
  const claimed = { ...patient, name: 'Jane Doe' };
  const input = { ...request.input, patient_info: claimed };
  const heldId = await hold(store, anOutput(request, { request_id: null, input }));
  expect(differing(await compared(heldId, request.request_id))).toEqual([
    ['/request/input/patient_info/name', 'added', 'none'],
    ['/request/request_id', 'missing', 'none'],
  ]);
});

test('one that names no request is compared with the one that is named for it', async () => {
  const request = await intake(store, caller);
  const heldId = await hold(store, anOutput(request, { request_id: null }));
  const alone = await compared(heldId);
  expect([alone.request, alone.receiver]).toEqual([null, null]);
  expect(alone.sentence).toBe('Held as unmatched: it names no request that the service has.');
  expect((await compared(heldId, request.request_id)).request?.request_id).toBe(request.request_id);
  for (const requestId of ['x', issueId('req')])
    expect(await compareHeldOutput(store, { caller, heldId, requestId, payerIdOf: () => PAYER_ID })).toEqual({
      kind: 'unknown_request',
    });
  const heldIdOfNone = issueId('held');
  expect(
    await compareHeldOutput(store, {
      caller,
      heldId: heldIdOfNone,
      requestId: undefined,
      payerIdOf: () => '',
    }),
  ).toEqual({ kind: 'not_found' });
});

test('a comparison is in the access log, under the request that it showed', async () => {
  const reader = await anAccount(store, { kind: 'platform' });
  const request = await aFinishedRequest(store, caller);
  const heldId = await hold(store, anOutput(request, { notes: 'log' }));
  await compareHeldOutput(store, { caller: reader, heldId, requestId: undefined, payerIdOf: () => PAYER_ID });
  expect(await accessLines(stores, reader)).toEqual([['heldOutputs.compare', request.request_id]]);
});

// Broke: an applied output was compared with the result that it became, and "this one says the same".
test('a settled output is compared with the result that stood when it was settled, whatever came later', async () => {
  const request = await aFinishedRequest(store, caller);
  const offering = (notes: string) => hold(store, anOutput(request, { notes }));
  const [applied, dismissed, later] = [await offering('2'), await offering('x'), await offering('3')];
  await applyHeldOutput(store, { caller, heldId: applied });
  await dismissHeldOutput(store, { caller, heldId: dismissed, note: 'an older one' });
  await applyHeldOutput(store, { caller, heldId: later });
  const changed = async (heldId: string) => {
    const { values, decision, sentence } = await compared(heldId);
    const differs = values.filter(({ standing_difference: difference }) => difference !== 'none');
    return [decision, sentence, differs.map(({ standing, offered }) => [standing, offered])];
  };
  const second =
    'Held as a second result: the request has a result already, and this one differs in the notes.';
  const decision = { by: caller.keyId, by_name: null, at: expect.any(String) };
  const { insurance_data: first } = anOutput(request);
  expect(await changed(applied)).toEqual([
    { ...decision, version: 2 },
    second,
    [[first[0]?.notes ?? null, '2']],
  ]);
  expect(await changed(dismissed)).toEqual([{ ...decision, version: null }, second, [['2', 'x']]]);
  expect(await changed(later)).toEqual([{ ...decision, version: 3 }, second, [['2', '3']]]);
});

test('an output that was applied to another request is compared with that one', async () => {
  const [named, other] = [await aFinishedRequest(store, caller), await aFinishedRequest(store, caller)];
  const heldId = await hold(store, anOutput(named, { notes: 'of the other' }));
  await applyHeldOutput(store, { caller, heldId, requestId: other.request_id });
  const { request, decision } = await compared(heldId);
  expect([request?.request_id, decision?.version]).toEqual([other.request_id, 2]);
});

// Each result is of another time, and its entries have ids of their own: "2 values differ" was said of the same result.
test('the time of a verification and the ids of entries are no difference', async () => {
  const request = await aFinishedRequest(store, caller);
  const [coverage] = anOutput(request).insurance_data;
  if (!coverage) throw new Error('An output has a coverage.');
  const again = { ...coverage, verification_time: '2026-11-20T11:00:00Z', uuid: 'another', notes: 'another' };
  expect(
    differing(await compared(await hold(store, anOutput(request, { insurance_data: [again] })))),
  ).toEqual([['/insurance_data/0/notes', 'none', 'different']]);
});
