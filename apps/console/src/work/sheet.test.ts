import { type SheetName, type SheetRow, SHEETS, SubmittedBenefit } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { type AnswerForm, byNeed, firstSheet, NO_SHEET, readAnswer, readSheet, rowField } from './sheet.ts';

const today = new Date(2026, 10, 22);
const read = (name: SheetName, answers: Record<string, string>, quotes: Record<string, string> = {}) =>
  readSheet(
    { name, answers },
    { item: { payer: { sheet: null } }, today, quoteOf: (field) => quotes[field] },
  );

// Breaks when a verifier's number becomes another one, or is refused.
test.each<[AnswerForm, string, object]>([
  ['dollars', '1500', { amount: '1500' }],
  ['dollars', '$ 1,500.50', { amount: '1500.50' }],
  ['dollars', '1,234,567', { amount: '1234567' }],
  ['percent', '20 %', { percent: '20' }],
  ['age', '19', { quantity: { value: '19', unit: 'age_at_most' } }],
  ['months', '12m', { quantity: { value: '12', unit: 'months' } }],
  [
    'often',
    '2/Y',
    { frequency: [{ count: '2', unit: 'services', period: 'calendar_year', period_count: '1' }] },
  ],
  ['often', '1/60m', { frequency: [{ count: '1', unit: 'services', period: 'month', period_count: '60' }] }],
  ['day', '1/31/26', { dates: [{ kind: 'latest_visit', start: '2026-01-31' }] }],
  ['day', '5/6/26', { dates: [{ kind: 'latest_visit', start: '2026-05-06' }] }], // as this page writes days
  ['day', '31/1/26', { dates: [{ kind: 'latest_visit', start: '2026-01-31' }] }],
  ['provider', ' Dr. Lee ', { related: [{ role: 'primary_care_provider', name: 'Dr. Lee' }] }],
])('%s typed as %s', (form, text, benefit) => {
  expect(readAnswer(form, text, today)).toEqual({ kind: 'said', benefit });
});

// Breaks when what cannot be read is guessed.
test.each<[AnswerForm, string]>([
  ['dollars', '15,00'],
  ['dollars', 'none'],
  ['percent', '80/20'],
  ['often', '2'],
  ['often', 'twice'],
  ['day', 'spring'],
  ['yes_no', 'maybe'],
])('%s typed as %s is asked again', (form, text) => {
  expect(readAnswer(form, text, today).kind).toBe('unreadable');
});

// Breaks when a desk takes what nobody asked for what does not hold.
test('what was not answered is left out, what does not apply is said', () => {
  const { answered } = read('dental', { maximum: '', deductible: '-', basic: '20' });
  expect(answered?.benefits).toEqual([
    expect.objectContaining({ kind: 'deductible', texts: ['Does not apply.'] }),
    expect.objectContaining({ kind: 'coinsurance', percent: '20', texts: ['Basic services'] }),
  ]);
  expect(answered?.benefits[0]).not.toHaveProperty('amount');
  expect(read('dental', {}).answered).toBeNull();
});

test('the network goes to each benefit, the group and the order to the coverage, words to their row', () => {
  const answers = { network: 'Out', group: '70112', order: '2nd', maximum: '1500', missing_tooth: 'y' };
  expect(read('dental', answers, { 'sheet-maximum': 'Max 1500' })).toEqual({
    answered: {
      group_number: '70112',
      order: 'secondary',
      benefits: [
        expect.objectContaining({ kind: 'maximum', amount: '1500', network: 'out', quote: 'Max 1500' }),
        expect.objectContaining({
          kind: 'limitation',
          network: 'out',
          texts: ['There is a missing-tooth clause.'],
        }),
      ],
    },
    faults: {},
  });
});

test('a row that cannot be read is a fault of its field', () => {
  expect(read('medical', { network: 'both', order: '4', office: 'x' }).faults).toEqual({
    'sheet-network': 'Type in or out.',
    'sheet-order': 'Type 1, 2 or 3.',
    'sheet-office': 'Type dollars: 1500 or 25.50.',
  });
});

// Breaks when a payer's own questions are not those that its verifiers are asked.
test('the rows of a payer are read as those of a named sheet, and its sheet is chosen at first', () => {
  const rows: SheetRow[] = [
    { id: 'crown', label: 'Crowns: patient pays', reads: 'percent', says: { kind: 'coinsurance' } },
  ];
  const item = { payer: { sheet: rows } };
  expect(firstSheet(item)).toEqual({ name: 'payer', answers: {} });
  expect(firstSheet({ payer: { sheet: null } })).toEqual(NO_SHEET);
  const sheet = { name: 'payer' as const, answers: { crown: '50' } };
  expect(readSheet(sheet, { item, today, quoteOf: () => undefined }).answered?.benefits).toEqual([
    { kind: 'coinsurance', percent: '50' },
  ]);
});

// Breaks when the service refuses what the sheet makes.
test.each(['dental', 'medical'] as const)(
  'every row of %s makes a benefit that the service takes',
  (name) => {
    const samples = ['25', '2/y', '1/31/26', 'y', 'n', '-'];
    for (const row of SHEETS[name]) {
      if (!row.says && !row.yes) continue;
      const made = samples.flatMap((text) => read(name, { [row.id]: text }).answered?.benefits ?? []);
      expect(made.length, row.id).toBeGreaterThan(1);
      for (const benefit of made) expect(SubmittedBenefit.safeParse(benefit).error, row.id).toBeUndefined();
    }
    expect(new Set(SHEETS[name].map(rowField)).size).toBe(SHEETS[name].length);
  },
);

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

// Without it a person scrolls past orthodontics to ask about a cleaning, or the maximum is folded away.
test('a sheet begins with what the codes need: their own rows, their class, and the plan', () => {
  const { needed, others } = byNeed(SHEETS.dental, ['d1110', 'D2740']);
  expect(idsOf(needed)).toEqual(
    expect.arrayContaining([
      'network',
      'maximum',
      'deductible_met',
      'preventive',
      'major',
      'cleaning',
      'cleaning_last',
    ]),
  );
  expect(idsOf(others)).toEqual(
    expect.arrayContaining(['orthodontic', 'orthodontic_age', 'exam', 'bitewings_last', 'missing_tooth']),
  );
  expect(needed.length + others.length).toBe(SHEETS.dental.length);
  expect(idsOf(byNeed(SHEETS.dental, ['D0150']).needed)).toContain('exam');
  expect(idsOf(byNeed(SHEETS.dental, ['D6240']).needed)).toContain('missing_tooth');
  expect(idsOf(byNeed(SHEETS.medical, ['99213']).others)).toEqual(['emergency']);
  expect(byNeed(SHEETS.dental, []).others).toEqual([]);
});
