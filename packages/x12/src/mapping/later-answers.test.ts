import { expect, test } from 'vitest';
import { a271, aContext, aRequest, aSubscriber, PROVIDER, REQUEST_ID } from '../../test/a-271.ts';
import type { AskedInquiries, AskedInquiry } from './asked-inquiries.ts';
import { readKeptRows } from './kept-row.ts';
import { isRefusal, readCodesAnswered, readFindings, unansweredCodes } from './later-answers.ts';
import { readAnswer, readFinding } from './read-finding.ts';
import { askedProcedures } from './to-eligibility-inquiry.ts';

const request = aRequest({ cpt_code_coverage: ['D0120', '99213'] });
const context = aContext({ request });
const [dental, medical] = askedProcedures(request);
if (!dental || !medical) throw new Error('The request asks for two codes');

const answerOf = (text: string) => readAnswer(text, context);

const ACTIVE = answerOf(
  a271(aSubscriber('EB*1*IND*30**GOLD PPO\nDTP*346*D8*20260101\nEB*C*IND*30***23*1500')),
);

const inquiry = (body: string | null, rest: Partial<AskedInquiry> = {}): AskedInquiry => ({
  number: 2,
  procedures: [dental, medical],
  serviceTypes: [],
  answer: body === null ? null : answerOf(a271(aSubscriber(body))),
  failure: body === null ? 'timeout' : null,
  ...rest,
});

const joined = (others: readonly AskedInquiry[], rest: Partial<AskedInquiries> = {}) => {
  const inquiries = { first: { number: 1, procedures: [] }, others, unasked: [], ...rest };
  const finding = readFindings(ACTIVE, inquiries, context);
  if (finding.kind !== 'result') throw new Error('The first answer is a result');
  const [entry, ...more] = finding.insuranceData;
  return {
    count: 1 + more.length,
    status: entry?.plan_info.eligibility_status,
    codes: entry?.plan_info.cpt_code_coverage,
    notes: (entry?.notes ?? '').split('\n').filter((line) => line !== ''),
    rows: finding.benefits[0]?.rows ?? [],
    payerCodes: finding.payerCodes,
  };
};

// Breaks if the codes of a second inquiry do not reach the result, or its rows cannot be found in the evidence.
test('codes come from the second answer, the status and the plan from the first', () => {
  const { count, status, codes, notes, rows } = joined([
    inquiry('EB*1*IND*30**GOLD PPO\nDTP*346*D8*20260101\nEB*1***********Y*AD:D0120\nEB*B**98***27*20'),
  ]);
  expect({ count, status, codes, notes }).toEqual({
    count: 1,
    status: 'Active',
    codes: ['D0120'],
    notes: [
      'Deductible: $1500 a calendar year (individual).',
      'Co-payment, service type 98 (Office visit): $20 a visit.',
      'The payer did not answer for 99213.',
    ],
  });
  expect(rows.map(({ row, inquiry: number, segments }) => [row, number, segments[0]])).toEqual([
    [0, 1, 'EB*1*IND*30**GOLD PPO'],
    [1, 1, 'EB*C*IND*30***23*1500'],
    [2, 2, 'EB*1***********Y*AD:D0120'],
    [3, 2, 'EB*B**98***27*20'],
  ]);
  expect(readKeptRows(rows).map(({ source }) => source.kind === 'x12' && source.inquiry)).toEqual([
    1, 1, 2, 2,
  ]);
});

// Without it a patient who is covered becomes Inactive, or phone work, by a question that was only about a code.
test.each([
  [
    'a plan that is not active',
    'EB*6*IND*30\nEB*1***********Y*AD:D0120',
    'The payer answered for D0120, 99213 with a plan that is not active; that answer does not count.',
  ],
  ['a refusal', 'AAA*N**33*C', 'The payer refused to answer for D0120, 99213 (AAA 33).'],
  [
    'a refusal next to the plan',
    'AAA*N**52*C\nEB*1*IND*30**GOLD PPO',
    'The payer refused to answer for D0120, 99213 (AAA 52).',
  ],
  ['an outage', 'AAA*N**42*R', 'The payer could not be asked for D0120, 99213 (AAA 42).'],
  ['no answer', null, 'The payer could not be asked for D0120, 99213 (timeout).'],
])('an Active stays after %s, and the notes say what has no answer', (_, body, sentence) => {
  const { status, codes, notes } = joined([inquiry(body)]);
  expect({ status, codes, note: notes.at(-1) }).toEqual({ status: 'Active', codes: null, note: sentence });
});

// Without it the codes of a relative with the same member id are reported as the patient's.
test('a second answer about somebody else adds nothing', () => {
  const text = a271(`${PROVIDER}
    HL*3*2*22*0
    TRN*2*${REQUEST_ID}*9IVSERVICE
    NM1*IL*1*DOE*PETER****MI*W123456789
    DMG*D8*19500101
    EB*1***********Y*AD:D0120`);
  const { status, codes, notes, rows } = joined([inquiry('', { answer: answerOf(text) })]);
  expect({ status, codes, note: notes.at(-1) }).toEqual({
    status: 'Active',
    codes: null,
    note: 'The payer answered for D0120, 99213 about another patient; that answer does not count.',
  });
  expect(rows).toHaveLength(2);
});

// A code that was not asked is neither covered nor refused: a desk must see why it has no answer.
test('the notes say which codes were not asked for, and why', () => {
  const { notes } = joined([inquiry('EB*1***********Y*AD:D0120', { procedures: [dental] })], {
    unasked: [{ why: 'payer_takes_none', procedures: [medical] }],
  });
  expect(notes.at(-1)).toBe('Not asked for, since the payer does not answer for such codes: 99213.');
});

// Breaks if a third inquiry's answer hides the second's refusal, or the other way round.
test('of three inquiries each code is said once', () => {
  const { codes, notes } = joined([
    inquiry('AAA*N**52*C'),
    inquiry('EB*1***********Y*AD:D0120', { number: 3, procedures: [dental] }),
  ]);
  expect(codes).toEqual(['D0120']);
  expect(notes.at(-1)).toBe('The payer refused to answer for 99213 (AAA 52).');
});

// Without it a code of the first of two plans is reported with the second.
test('a row of a later answer goes to the plan that was repeated before it', () => {
  const two = answerOf(a271(aSubscriber('EB*1*IND*30**GOLD PPO\nEB*1*IND*30**SILVER DENTAL')));
  const inquiries = {
    first: { number: 1, procedures: [] },
    others: [
      inquiry(
        'EB*1*IND*30**GOLD PPO\nEB*1***********Y*HC:99213\nEB*1*IND*30**SILVER DENTAL\nEB*1***********Y*AD:D0120',
      ),
    ],
    unasked: [],
  };
  const finding = readFindings(two, inquiries, context);
  expect(
    finding.insuranceData.map(({ plan_info: plan }) => [plan.plan_name, plan.cpt_code_coverage]),
  ).toEqual([
    ['GOLD PPO', ['99213']],
    ['SILVER DENTAL', ['D0120']],
  ]);
});

// Breaks if the service learns the wrong thing about a payer: that it takes codes it refuses, or none where it was away.
test.each([
  ['EB*1*IND*30\nEB*1***********Y*AD:D0120', ['D0120'], []],
  ['EB*1*IND*30\nEB*B*****27*20******AD:D0120', ['D0120'], []],
  ['EB*1*IND*30', [], []],
  ['AAA*N**52*C', [], ['D0120', '99213']],
  ['EB*1*IND*30\nAAA*N**33*C', [], ['D0120', '99213']],
  ['EB*1*IND*30\nEB*1***********Y*AD:D0120\nEB*V************HC:99213\nAAA*N**54*C', ['D0120'], ['99213']],
])('reads from %j which codes were answered and refused', (body, answered, refused) => {
  const read = readCodesAnswered(inquiry(body), context);
  expect(
    read && {
      answered: read.answered.map(({ code }) => code),
      refused: read.refused.map(({ code }) => code),
    },
  ).toEqual({
    answered,
    refused,
  });
});

test.each(['AAA*N**42*R', 'AAA*N**75*C', 'EB*6*IND*30', null])('learns nothing of codes from %j', (body) => {
  expect(readCodesAnswered(inquiry(body), context)).toBeNull();
});

// Without it a code that the payer has answered already is paid for once more.
test('only codes that the first answer does not speak of are left to ask', () => {
  const answer = answerOf(a271(aSubscriber('EB*1*IND*30\nEB*I************AD:D0120')));
  expect(unansweredCodes(answer, context).map(({ code }) => code)).toEqual(['99213']);
});

test.each([
  ['33', true],
  ['15', true],
  ['52', true],
  ['55', true],
  ['56', false],
  ['73', false],
  ['42', false],
])('AAA %s refuses what is asked for: %s', (code, expected) => {
  expect(isRefusal(readFinding(a271(aSubscriber(`AAA*N**${code}*C`)), context))).toBe(expected);
});
