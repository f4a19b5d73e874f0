import { expect, test } from 'vitest';
import { checkDraft, fieldId } from './check-draft.ts';
import { type CoverageDraft, emptyDraft, type WorkItem } from './draft.ts';

const JANE = { subscriber_id: 'W123456789', dob: '1984-05-17', name: 'Jane Doe' };

/** A request of the portal; what the check does not read is left out. */
const anItem = (patient: Partial<typeof JANE>) =>
  ({
    channel: 'manual_web_portal',
    payer: { sheet: null },
    request: {
      input: { patient_info: { subscriber_id: '', ...patient }, payer_info: { name: 'Bluefield' } },
    },
  }) as unknown as WorkItem;

interface Typed {
  readonly asked?: Partial<typeof JANE>;
  readonly coverages: readonly Partial<CoverageDraft>[];
  /** The coverages that the person confirmed. */
  readonly confirmed?: readonly number[];
}

/** What becomes of Active answers; keys are the places of the coverages. */
function check({ asked = JANE, coverages, confirmed = [] }: Typed) {
  const item = anItem(asked);
  const [empty] = emptyDraft(item).coverages;
  if (!empty) throw new Error('A draft has a coverage.');
  const draft = {
    ...emptyDraft(item),
    coverages: coverages.map((typed, index) => ({
      ...empty,
      eligibility: 'Active' as const,
      ...typed,
      key: String(index),
    })),
  };
  const doubts = Object.fromEntries(
    confirmed.map((index) => [String(index), { sentence: 'Asked by the service.', isConfirmed: true }]),
  );
  return checkDraft({ item, draft, doubts }, new Date(2026, 10, 22));
}

const at = (field: string) => fieldId({ key: '0' }, field);

// Breaks when a plain answer asks for more, or claims what nobody confirmed.
test.each([
  ['the patient as asked', JANE, {}],
  ['another member id beside the birth date', JANE, { differs: true, memberId: 'K1' }],
  ['no birth date', JANE, { differs: true, dob: '' }],
  ['the birth date in another form', JANE, { differs: true, dob: '5/17/84' }],
  ['what stands in fields that are closed', JANE, { differs: false, memberId: 'K1', dob: '1990-01-01' }],
  ['a request of the member id alone', { subscriber_id: 'W123456789' }, {}],
])('%s is sent without a question', (_case, asked, typed) => {
  const checked = check({ asked, coverages: [typed] });
  expect(checked.kind).toBe('ready');
  expect(checked.kind === 'ready' && checked.submission).not.toHaveProperty('same_patient_confirmed');
});

// Breaks when somebody else's coverage reaches a provider, or is refused without saying for which field.
test('another birth date is refused at its field', () => {
  expect(check({ coverages: [{ differs: true, dob: '5/18/84' }] })).toEqual({
    kind: 'faults',
    faults: { [at('dob')]: 'The birth date differs from the request’s: this is another patient.' },
    doubts: {},
  });
});

test('a member id and a birth date that both differ are named together', () => {
  expect(check({ coverages: [{ differs: true, memberId: 'K1', dob: '5/18/84' }] })).toMatchObject({
    faults: {
      [at('dob')]: 'The birth date and the member id differ from the request’s: this is another patient.',
    },
  });
});

test('another member id that nothing else supports is refused at its field', () => {
  const asked = { subscriber_id: 'W123456789', dob: '1984-05-17' };
  expect(check({ asked, coverages: [{ differs: true, memberId: 'K1', dob: '' }] })).toMatchObject({
    faults: { [at('memberId')]: 'The member id differs from the request’s: this is another patient.' },
  });
});

test('no confirmation admits another patient', () => {
  const checked = check({ coverages: [{ differs: true, dob: '5/18/84' }], confirmed: [0] });
  expect(checked.kind).toBe('faults');
});

const UNCLEAR = { differs: true, memberId: 'K1', dob: '' };

// Breaks when the person meets the service's refusal instead of the question.
test('what does not show the patient is asked about, naming the field', () => {
  expect(check({ coverages: [UNCLEAR] })).toEqual({
    kind: 'faults',
    faults: {},
    doubts: {
      0: { sentence: 'The member id does not show that this is the request’s patient.', isConfirmed: false },
    },
  });
});

test('a request whose own data identifies no patient is asked about before anything is typed', () => {
  const asked = { subscriber_id: 'unknown', name: 'Jane Doe' };
  expect(check({ asked, coverages: [{}] })).toMatchObject({
    doubts: {
      0: { sentence: 'The birth date and the member id do not show that this is the request’s patient.' },
    },
  });
});

test('two birth dates among the coverages are asked about', () => {
  const asked = { ...JANE, dob: '03/04/1980' };
  const coverages = ['1980-03-04', '1980-04-03'].map((dob) => ({ differs: true, dob }));
  expect(check({ asked, coverages })).toMatchObject({
    faults: {},
    doubts: { 1: { sentence: 'The birth date differs from the first coverage’s.' } },
  });
});

test('the confirmation goes along once every coverage that needs it has it', () => {
  expect(check({ coverages: [UNCLEAR, UNCLEAR], confirmed: [0] }).kind).toBe('faults');
  expect(check({ coverages: [UNCLEAR, UNCLEAR], confirmed: [0, 1] })).toMatchObject({
    kind: 'ready',
    submission: { same_patient_confirmed: true },
  });
});

// The service may be newer than the page: its question stands though the page sees no reason for it.
test('what the service asked about goes with the confirmation', () => {
  expect(check({ coverages: [{}], confirmed: [0] })).toMatchObject({
    kind: 'ready',
    submission: { same_patient_confirmed: true },
  });
});
