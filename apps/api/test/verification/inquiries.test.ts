import { type PayerSimulator, startSimulator } from '@insurance-verification/payer-simulator';
import type { RequestInfo } from '@insurance-verification/schema';
import type { CodeSystem, ExchangeCodes } from '@insurance-verification/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type InquirySettings, LEAN_INQUIRY } from '../../src/config/payer-inquiry.ts';
import { createExchange, type Exchange } from '../../src/verification/api-channel/create-exchange.ts';
import { askInquiries } from '../../src/verification/api-channel/inquiries.ts';
import { aPayerConnection, aRequestFor } from './a-connection.ts';

let simulator: PayerSimulator;
let exchange: Exchange;
beforeAll(async () => {
  simulator = await startSimulator();
  exchange = createExchange({ cutMs: 2_000 });
});
afterAll(async () => {
  await exchange.close();
  await simulator.stop();
});

let count = 0;

interface Asking {
  readonly inquiry?: Partial<InquirySettings>;
  readonly request?: Partial<RequestInfo>;
  readonly gender?: string;
  /** What earlier answers have shown of the payer. */
  readonly systems?: readonly CodeSystem[];
  readonly isOneAtATime?: boolean;
}

/** The segments of each inquiry that differ between inquiries, and the outcome. */
async function ask(
  memberId: string,
  { inquiry = {}, request = {}, gender, systems = ['dental', 'medical'], isOneAtATime = false }: Asking = {},
) {
  const noted: ExchangeCodes[] = [];
  const inquiries: string[] = [];
  const patient = { subscriber_id: memberId, dob: '1984-05-17', name: 'Jane Doe' };
  const { finding, last } = await askInquiries({
    exchange,
    connection: aPayerConnection(simulator.url, { inquiry: { ...LEAN_INQUIRY, ...inquiry } }),
    request: {
      ...aRequestFor(memberId),
      patient_info: { ...patient, address: '12 Elm St, Springfield, IL 62701' },
      ...request,
    },
    requestId: `req_${String((count += 1)).padStart(26, '0')}`,
    serviceDate: null,
    payerNames: ['Payer Plan 1'],
    gender: gender ?? null,
    codeAnswers: {
      judge: async () => ({ systems: new Set(systems), isOneAtATime }),
      note: (_, codes) => void noted.push(codes),
    },
    nextControlNumber: async () => (count += 1),
    keep: async (one) => void inquiries.push(one.inquiry),
    kept: [],
    retryDelaysMs: [1, 1],
    signal: new AbortController().signal,
  });
  if (last) inquiries.push(last.asked.inquiry);
  const asked = inquiries.map((text) =>
    text
      .split('~')
      .filter((segment) => /^(EQ|N3|REF)\*|^DMG.*\*[FMU]$/.test(segment))
      .map((segment) => segment.replace(/^EQ\*+/, ''))
      .join(' '),
  );
  const [entry] = finding.insuranceData;
  return {
    asked,
    last: last?.asked.exchanged.kind,
    noted,
    status: finding.kind === 'result' ? entry?.plan_info.eligibility_status : finding.reason,
    codes: entry?.plan_info.cpt_code_coverage ?? null,
    notes: (entry?.notes ?? '').split('\n'),
    traces: new Set(inquiries.map((text) => /TRN\*1\*(\w+)/.exec(text)?.[1])).size,
    controlNumbers: new Set(inquiries.map((text) => text.slice(90, 99))).size,
  };
}

const codes = (...list: string[]) => ({ cpt_code_coverage: list });

// Breaks if the first inquiry grows again, or codes that a payer answers are no longer asked for.
test('a lean inquiry, then the codes in one of their own, each with a control number and the same trace', async () => {
  const found = await ask('W1', { request: codes('D0120', '99213') });
  expect(found).toMatchObject({
    asked: ['30', 'AD:D0120 HC:99213'],
    last: 'answered',
    status: 'Active',
    codes: ['D0120', '99213'],
    traces: 1,
    controlNumbers: 2,
    noted: [
      {
        dental: { asked: 1, answered: 1, refused: 0, together: 2, leftOut: 0 },
        medical: { asked: 1, answered: 1, refused: 0, together: 2, leftOut: 0 },
      },
    ],
  });
});

// Each inquiry costs: none is sent without a code to ask for, or for a code that a plan which is not active cannot cover.
test.each([
  ['W1', codes(), ['30'], 'Active'],
  ['SIM-INACTIVE', codes('D0120'), ['35'], 'Inactive'],
  ['SIM-AAA-72', codes('D0120'), ['35'], 'member_id_invalid'],
  ['SIM-UNSURE', codes('D0120'), ['35'], 'requires_other_channel'],
])('%s with %j is asked once', async (memberId, request, asked, status) => {
  expect(await ask(memberId, { request })).toMatchObject({ asked, status });
});

// Breaks if a setting of the payers file does not do what its page says.
test.each<[string, Partial<InquirySettings>, string[], string[]]>([
  ['none', { procedures: 'none' }, ['D0120', '99213'], ['30']],
  ['cdt', { procedures: 'cdt' }, ['D0120', '99213'], ['30', 'AD:D0120']],
  ['all', { procedures: 'all' }, ['D0120', '99213'], ['30', 'AD:D0120 HC:99213']],
  ['service types one by one', { serviceTypes: ['30', '98'] }, [], ['30', '98']],
  ['service types after codes', { serviceTypes: ['30', '98', '88'] }, ['D0120'], ['30', 'AD:D0120', '98']],
  [
    'service types together',
    { serviceTypes: ['30', '98'], together: 'many' },
    ['D0120'],
    ['30 98', 'AD:D0120'],
  ],
  [
    'all in one',
    { serviceTypes: ['30', '98'], together: 'many', procedures: 'all' },
    ['D0120'],
    ['30 98 AD:D0120'],
  ],
  ['cdt in one', { together: 'many', procedures: 'cdt' }, ['D0120', '99213'], ['30 AD:D0120']],
  ['tax id', { hasTin: true }, [], ['REF*TJ*123456789 30']],
  ['gender', { hasGender: true }, [], ['DMG*D8*19840517*F 30']],
])('%s', async (_, inquiry, list, asked) => {
  const provider = { npi: '1234567893', name: 'Main Street Dental', tin: '12-3456789' };
  const request = { ...codes(...list), provider_info: provider };
  expect((await ask('W1', { inquiry, request, gender: 'F' })).asked).toEqual(asked);
});

test('a gender is sent only where the payer asks for it', async () => {
  expect((await ask('W1', { gender: 'F', request: codes() })).asked).toEqual(['30']);
  const settings = { inquiry: { hasGender: true }, request: codes() };
  expect(await ask('SIM-NEEDS-GENDER', { ...settings, gender: 'F' })).toMatchObject({ status: 'Active' });
  expect(await ask('SIM-NEEDS-GENDER', settings)).toMatchObject({ status: 'gender_invalid' });
});

// A payer's refusal of what we ask is ours to mend: a phone call for it takes half an hour.
test.each<[string, Asking, string[], string, string | null]>([
  [
    'SIM-ONE-EQ',
    { request: codes('D0120', 'D1110') },
    ['35', 'AD:D0120 AD:D1110', 'AD:D0120'],
    'Active',
    'The payer refused to answer for D1110 (AAA 33).',
  ],
  [
    'SIM-ONE-EQ',
    { request: codes('D0120', 'D1110'), isOneAtATime: true },
    ['35', 'AD:D0120'],
    'Active',
    'Not asked for, since the payer takes one code an inquiry: D1110.',
  ],
  [
    'SIM-ONE-EQ',
    { request: codes('D0120'), inquiry: { together: 'many', procedures: 'all', serviceTypes: ['30', '35'] } },
    ['30 35 AD:D0120', '30'],
    'Active',
    'The payer refused to answer for D0120 (AAA 33).',
  ],
  [
    'SIM-NO-CPT',
    { request: codes('D0120', '99213') },
    ['30', 'AD:D0120 HC:99213', 'AD:D0120'],
    'Active',
    'The payer refused to answer for 99213 (AAA 52).',
  ],
  [
    'SIM-NO-CPT',
    { request: codes('D0120', '99213'), systems: ['dental'] },
    ['30', 'AD:D0120'],
    'Active',
    'Not asked for, since the payer does not answer for such codes: 99213.',
  ],
  [
    'SIM-NO-CODES',
    { request: codes('D0120') },
    ['35', 'AD:D0120'],
    'Active',
    'The payer did not answer for D0120.',
  ],
  [
    'SIM-CDT-ONLY',
    { request: codes('99213') },
    ['30', 'HC:99213'],
    'Active',
    'The payer did not answer for 99213.',
  ],
  ['SIM-NO-ADDRESS', { request: codes() }, ['30'], 'Active', null],
  ['SIM-NEEDS-ADDRESS', { request: codes() }, ['30', 'N3*12 Elm St 30'], 'Active', null],
  [
    'SIM-NEEDS-ADDRESS',
    { request: codes('D0120') },
    ['35', 'N3*12 Elm St 35', 'N3*12 Elm St AD:D0120'],
    'Active',
    null,
  ],
  ['SIM-NEEDS-ADDRESS', { inquiry: { address: 'never' } }, ['35'], 'member_ambiguous', null],
  [
    'SIM-GONE-FOR-CODES',
    { request: codes('D0120') },
    ['35', 'AD:D0120'],
    'Active',
    'The payer could not be asked for D0120 (HTTP 503).',
  ],
  [
    'SIM-INACTIVE-FOR-CODES',
    { request: codes('D0120') },
    ['35', 'AD:D0120'],
    'Active',
    'The payer answered for D0120 with a plan that is not active; that answer does not count.',
  ],
  [
    'SIM-RELATIVE-FOR-CODES',
    { request: codes('D0120') },
    ['35', 'AD:D0120'],
    'Active',
    'The payer answered for D0120 about another patient; that answer does not count.',
  ],
])('%s with %j', async (memberId, asking, asked, status, note) => {
  const found = await ask(memberId, asking);
  expect({ asked: found.asked, status: found.status }).toEqual({ asked, status });
  if (note !== null) expect(found.notes).toContain(note);
});

// A payer that finds several members does not find the patient by an address that was split from free text.
test('an address that does not split is not sent', async () => {
  const patient = {
    subscriber_id: 'SIM-NEEDS-ADDRESS',
    dob: '1984-05-17',
    name: 'Jane Doe',
    address: 'Springfield',
  };
  expect(await ask('SIM-NEEDS-ADDRESS', { request: { patient_info: patient } })).toMatchObject({
    asked: ['35'],
    status: 'member_ambiguous',
  });
});

// Without it what is known of a payer that went away between two inquiries is that it answers.
test('the last exchange says whether the payer answered', async () => {
  expect((await ask('SIM-GONE-FOR-CODES')).last).toBe('failed');
  expect((await ask('W1')).last).toBe('answered');
});

// Breaks if a code that the first answer speaks of is paid for once more.
test('a code that the payer answers unasked is not asked for', async () => {
  const found = await ask('SIM-DENTAL', { request: codes('D0120', 'D9999') });
  expect(found.asked[1]).toBe('AD:D9999');
});
