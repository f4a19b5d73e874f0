import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput, type OutputChanges } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { anEntry } from '../../test/ground/an-entry.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { digestOf, findingOf, type ResultFinding } from './apply-findings.ts';

const { store, rival } = await openTestStores();
const request = {
  request_id: 'req_1',
  input: aRequest(),
  received_timestamp: '2026-01-02T03:04:05Z',
  state: 'pending' as const,
};
const find = (facts: OutputChanges) => findingOf(anOutput(request, facts));
const digest = (finding: ResultFinding) => digestOf(store.vault, finding).toString('hex');
const aFinding = (finding: Partial<ResultFinding> = {}): ResultFinding => ({
  outcome: 'complete',
  errorReason: null,
  insuranceData: [anEntry()],
  ...finding,
});

// Without it a progress report would end the request, or a finished upstream's result would be an error.
test.each([
  ['pending', null],
  ['complete', { outcome: 'complete', errorReason: null }],
  ['error_sending_webhook', { outcome: 'complete', errorReason: null }],
  ['error_verifying', { outcome: 'error_verifying', errorReason: 'why' }],
] as const)('%s is the finding %j', (state, expected) => {
  const finding = find({ state, error_reason: 'why', insurance_data: [] });
  expect(finding).toEqual(expected && { ...expected, insuranceData: [] });
});

// Without it an upstream's retry would be held as a different result, for an operator to review needlessly.
test('equal findings have equal digests, in every process, null and absent alike', () => {
  expect(digest(aFinding())).toBe(digest(aFinding()));
  expect(digestOf(rival.vault, aFinding())).toEqual(digestOf(store.vault, aFinding()));
  const { uuid: _uuid, notes: _notes, ...entry } = anEntry({ plan_info: { eligibility_status: 'Active' } });
  const withNulls = { ...entry, uuid: null, notes: null, plan_info: { ...entry.plan_info, end_date: null } };
  expect(digest(aFinding({ insuranceData: [withNulls] }))).toBe(digest(aFinding({ insuranceData: [entry] })));
});

// Without it a correction would be taken for a retry, and silently dropped.
test.each<[string, Partial<ResultFinding>]>([
  ['outcome', { outcome: 'error_verifying' }],
  ['reason', { errorReason: 'other' }],
  ['number of entries', { insuranceData: [] }],
  ['repetition of an entry', { insuranceData: [anEntry(), anEntry()] }],
  ['notes', { insuranceData: [anEntry({ notes: 'copay 20' })] }],
  [
    'eligibility',
    { insuranceData: [anEntry({ plan_info: { plan_name: 'Gold', eligibility_status: 'Inactive' } })] },
  ],
  ['time', { insuranceData: [anEntry({ verification_time: '2026-01-02T03:04:06Z' })] }],
  ['half an emoji', { insuranceData: [anEntry({ notes: '\ud800' })] }],
])('another %s is another digest', (_, finding) => {
  expect(digest(aFinding(finding))).not.toBe(digest(aFinding()));
});

// Without it two notes that differ only in a character that UTF-8 cannot encode would be one result.
test('texts that differ in a lone surrogate differ', () => {
  const noted = (notes: string) => digest(aFinding({ insuranceData: [anEntry({ notes })] }));
  expect(noted('\ud800')).not.toBe(noted('\ud801'));
  expect(noted('\ud800')).not.toBe(noted('\ufffd'));
});
