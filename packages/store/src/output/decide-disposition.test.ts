import { defaultSchemas, type RequestInfo } from '@insurance-verification/schema';
import { aPatient, aRequest } from '@insurance-verification/testing/a-request';
import { anOutput, type OutputChanges } from '@insurance-verification/testing/an-output';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anEntry } from '../../test/ground/an-entry.ts';
import { decideDisposition, type Disposition, type OutputCase } from './decide-disposition.ts';

const REQUEST_ID = 'req_00000000000000000000000001';

/** A trusted, complete output for an unfinished request of the same patient: row 8. */
function aCase(facts: Partial<Omit<OutputCase, 'output'>> = {}, output: OutputChanges = {}): OutputCase {
  const request = {
    request_id: REQUEST_ID,
    input: aRequest(),
    received_timestamp: '2026-01-02T03:04:05Z',
    state: 'pending' as const,
  };
  return {
    trusted: true,
    output: anOutput(request, output),
    payerId: 'plan-1',
    request: { id: REQUEST_ID, payerId: 'plan-1', input: aRequest() },
    finished: false,
    holdsAgentResults: false,
    sameAsStanding: false,
    ...facts,
  };
}
const held = (reason: string) => ({ kind: 'held', reason });
const mismatched = { input: aRequest({ patient_info: aPatient({ subscriber_id: 'other' }) }) };

// With a row out of place, an output that must await an operator would go to a receiver, or vice versa.
describe('the first row that matches decides', () => {
  test('1: an untrusted output is held, whatever else is true of it', () => {
    expect(decideDisposition(aCase({ trusted: false }))).toEqual(held('untrusted'));
    expect(decideDisposition(aCase({ trusted: false, request: null }))).toEqual(held('untrusted'));
    expect(decideDisposition(aCase({ trusted: false, finished: true, sameAsStanding: true }))).toEqual(
      held('untrusted'),
    );
    expect(decideDisposition(aCase({ trusted: false }, mismatched))).toEqual(held('untrusted'));
    expect(decideDisposition(aCase({ trusted: false }, { state: 'pending' }))).toEqual(held('untrusted'));
  });

  test('2: an output for no request of ours is held, also a pending one', () => {
    expect(decideDisposition(aCase({ request: null }))).toEqual(held('unmatched'));
    expect(decideDisposition(aCase({ request: null }, { state: 'pending' }))).toEqual(held('unmatched'));
  });

  test('3: an output for another patient is held, also a pending one and one for a finished request', () => {
    expect(decideDisposition(aCase({}, mismatched))).toEqual(held('input_mismatch'));
    expect(decideDisposition(aCase({}, { ...mismatched, state: 'pending' }))).toEqual(held('input_mismatch'));
    expect(decideDisposition(aCase({ finished: true }, mismatched))).toEqual(held('input_mismatch'));
    expect(decideDisposition(aCase({ finished: true, sameAsStanding: true }, mismatched))).toEqual(
      held('input_mismatch'),
    );
  });

  test.each([
    ['pending', false, false, { kind: 'progress' }],
    ['pending', false, true, { kind: 'progress' }],
    ['pending', true, false, { kind: 'unchanged' }],
    ['pending', true, true, { kind: 'unchanged' }],
    ['complete', true, true, { kind: 'unchanged' }],
    ['error_verifying', true, true, { kind: 'unchanged' }],
    ['error_sending_webhook', true, true, { kind: 'unchanged' }],
    ['complete', true, false, held('superseding')],
    ['error_verifying', true, false, held('superseding')],
    ['error_sending_webhook', true, false, held('superseding')],
    ['error_verifying', false, false, { kind: 'applied', outcome: 'error_verifying' }],
    ['complete', false, false, { kind: 'applied', outcome: 'complete' }],
    ['error_sending_webhook', false, false, { kind: 'applied', outcome: 'complete' }],
  ] as const)('4–8: %s, finished %s, same %s', (state, finished, sameAsStanding, expected) => {
    expect(decideDisposition(aCase({ finished, sameAsStanding }, { state }))).toEqual(expected);
  });

  test.each([
    ['agent_web_portal', held('agent_result')],
    ['agent_phone_call', held('agent_result')],
    ['manual_phone_call', { kind: 'applied', outcome: 'complete' }],
  ] as const)('6a: of %s, where the route holds what agents found', (verification_source, expected) => {
    const byHand = anEntry({ verification_source: 'manual_web_portal' });
    const entries = [byHand, anEntry({ verification_source })];
    expect(decideDisposition(aCase({ holdsAgentResults: true }, { insurance_data: entries }))).toEqual(
      expected,
    );
    expect(decideDisposition(aCase({}, { insurance_data: entries })).kind).toBe('applied');
  });
});

// Without each condition, another patient's data would go to the receiver (HIPAA breach).
describe('another patient', () => {
  test.each<[string, Partial<RequestInfo>]>([
    ['subscriber id', { patient_info: aPatient({ subscriber_id: 'W999' }) }],
    ['subscriber id by a digit', { patient_info: aPatient({ subscriber_id: 'W12345678' }) }],
    ['npi', { provider_info: { npi: '9999999999', name: 'Dr. Roe' } }],
  ])('is one whose %s differs', (_, input) => {
    expect(decideDisposition(aCase({}, { input: aRequest(input) }))).toEqual(held('input_mismatch'));
  });

  test('is one of another payer, by its stable id', () => {
    expect(decideDisposition(aCase({ payerId: 'plan-2' }))).toEqual(held('input_mismatch'));
    expect(
      decideDisposition(aCase({}, { input: aRequest({ payer_info: { name: 'Renamed Plan' } }) })).kind,
    ).toBe('applied');
  });

  test.each<[string, Partial<RequestInfo>]>([
    ['name', { patient_info: aPatient({ name: 'J. Roe' }) }],
    ['dob', { patient_info: aPatient({ dob: '02/03/1980' }) }],
    ['writing of the subscriber id', { patient_info: aPatient({ subscriber_id: 'w123-456-789' }) }],
    ['callback url', { callback_url: 'https://elsewhere.example' }],
  ])('is not one where only %s differs in the request block', (_, input) => {
    expect(decideDisposition(aCase({}, { input: aRequest(input) })).kind).toBe('applied');
  });

  test.each([
    [undefined, 'applied'],
    [null, 'applied'],
    [REQUEST_ID, 'applied'],
    ['req_00000000000000000000000002', 'held'],
    ['', 'held'],
  ])('an entry that names the request %j is %s', (requestId, kind) => {
    const entry = anEntry(requestId === undefined ? {} : { request_id: requestId });
    expect(decideDisposition(aCase({}, { insurance_data: [entry] })).kind).toBe(kind);
  });

  // requested dob, entry's subscriber id, entry's dob
  test.each([
    ['1980-02-03', 'W123456789', '1980-02-03', 'applied'],
    ['1980-02-03', 'W123456789', undefined, 'applied'],
    ['1980-02-03', 'W123456789', '1999-09-09', 'held'],
    ['02/03/1980', 'W123456789', '1980-02-03', 'applied'],
    [undefined, 'W123456789', '1999-09-09', 'applied'],
    ['1980-02-03', 'CORRECTED', '1980-02-03', 'held'],
    ['1980-02-03', 'CORRECTED', '1999-09-09', 'held'],
    ['1980-02-03', 'CORRECTED', undefined, 'held'],
    [undefined, 'CORRECTED', '1980-02-03', 'held'],
    [undefined, 'CORRECTED', undefined, 'held'],
    ['', 'CORRECTED', '', 'held'],
    ['  ', 'CORRECTED', '  ', 'held'],
  ])('requested dob %j, entry %s born %j: %s', (requestedDob, subscriberId, entryDob, kind) => {
    const { patient_info: patient, ...rest } = aRequest();
    const { dob: _, ...undated } = patient;
    const input = {
      ...rest,
      patient_info: requestedDob === undefined ? undated : { ...patient, dob: requestedDob },
    };
    const entry = anEntry({
      patient_info: { subscriber_id: subscriberId, ...(entryDob !== undefined && { dob: entryDob }) },
    });
    const request = { id: REQUEST_ID, payerId: 'plan-1', input };
    expect(decideDisposition(aCase({ request }, { input, insurance_data: [entry] })).kind).toBe(kind);
  });

  test('one entry of another patient holds them all', () => {
    const anonymous = anEntry({ patient_info: { subscriber_id: 'X', dob: '1999-09-09' } });
    expect(decideDisposition(aCase({}, { insurance_data: [anEntry(), anonymous] }))).toEqual(
      held('input_mismatch'),
    );
  });

  // Families share a member id: the father's coverage went out as the child's.
  test.each([
    ['the father for the child, under one id', { dob: '1980-01-01', name: 'John Doe' }, 'held'],
    ['a sibling born on another day', { dob: '2016-03-02', name: 'Jane Doe' }, 'held'],
    ['a twin', { dob: '1984-05-17', name: 'Doe, Joan' }, 'held'],
    ['an initial that may be anybody', { name: 'Doe, J' }, 'held'],
    ['the father of the same name, without a date', { name: 'Jane Doe Sr' }, 'held'],
    ['who married', { dob: '05/17/1984', name: 'Smith, Jane' }, 'applied'],
    ['who is named by a short form', { dob: '1984-05-17', name: 'DOE, JANE A' }, 'applied'],
    ['of whom nothing but the id is said', {}, 'applied'],
  ])('%s', (_, patient, kind) => {
    const entry = anEntry({ patient_info: { subscriber_id: 'W123456789', ...patient } });
    expect(decideDisposition(aCase({}, { insurance_data: [entry] })).kind).toBe(kind);
  });

  test('two coverages that each fit, with two birth dates between them, are held', () => {
    const { dob: _, ...undated } = aPatient();
    const request = { id: REQUEST_ID, payerId: 'plan-1', input: aRequest({ patient_info: undated }) };
    const born = (dob: string) => anEntry({ patient_info: { ...undated, dob } });
    const decide = (...insurance_data: ReturnType<typeof born>[]) =>
      decideDisposition(aCase({ request }, { insurance_data })).kind;
    expect(decide(born('1984-05-17'), born('05/17/1984'))).toBe('applied');
    expect(decide(born('1984-05-17'), born('1954-05-17'))).toBe('held');
    // Broke: each was compared with the first coverage alone, which here has no date.
    expect(decide(anEntry({ patient_info: undated }), born('1984-05-17'), born('1954-05-17'))).toBe('held');
  });

  test('thousands of patients in one output are held, at the cost of a hundred', () => {
    const entries = Array.from({ length: 8_000 }, (__, index) =>
      anEntry({
        patient_info: { subscriber_id: 'W123456789', dob: '1984-05-17', name: `Jane ${index} Doe` },
      }),
    );
    expect(decideDisposition(aCase({}, { insurance_data: entries })).kind).toBe('held');
  });

  test('no entries name no other patient', () => {
    expect(decideDisposition(aCase({}, { insurance_data: [], state: 'error_verifying' })).kind).toBe(
      'applied',
    );
  });
});

/** The table as data: conditions and dispositions, in order. */
const table: [(facts: Facts) => boolean, (facts: Facts) => Disposition][] = [
  [(facts) => !facts.trusted, () => ({ kind: 'held', reason: 'untrusted' })],
  [(facts) => !facts.matched, () => ({ kind: 'held', reason: 'unmatched' })],
  [(facts) => facts.mismatched, () => ({ kind: 'held', reason: 'input_mismatch' })],
  [(facts) => facts.state === 'pending', (facts) => ({ kind: facts.finished ? 'unchanged' : 'progress' })],
  [(facts) => facts.finished && facts.same, () => ({ kind: 'unchanged' })],
  [(facts) => facts.finished, () => ({ kind: 'held', reason: 'superseding' })],
  [(facts) => facts.state === 'error_verifying', () => ({ kind: 'applied', outcome: 'error_verifying' })],
  [() => true, () => ({ kind: 'applied', outcome: 'complete' })],
];
const anyFacts = fc.record({
  trusted: fc.boolean(),
  matched: fc.boolean(),
  mismatched: fc.boolean(),
  finished: fc.boolean(),
  same: fc.boolean(),
  state: fc.constantFrom(...defaultSchemas.RequestModel.shape.state.options),
});
type Facts = typeof anyFacts extends fc.Arbitrary<infer Value> ? Value : never;

// Without it two rows could be swapped for a combination that none of the examples above covers.
test('for every combination of facts the first matching row of the table wins', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const { trusted, matched, finished, same: sameAsStanding, state } = facts;
      const output = { state, ...(facts.mismatched && mismatched) };
      const decided = decideDisposition(
        aCase({ trusted, finished, sameAsStanding, ...(!matched && { request: null }) }, output),
      );
      expect(decided).toEqual(table.find(([matches]) => matches(facts))?.[1](facts));
    }),
    { numRuns: 500 },
  );
});
