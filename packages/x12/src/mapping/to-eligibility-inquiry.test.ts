import { expect, test } from 'vitest';
import { aRequest, REQUEST_ID } from '../../test/a-271.ts';
import { writeEligibilityInquiry } from '../inquiry.ts';
import {
  askedProcedures,
  type InquiryContent,
  showsPerson,
  splitAddress,
  splitName,
  toEligibilityInquiry,
} from './to-eligibility-inquiry.ts';

const askedAt = new Date('2026-11-21T14:30:00Z');
const context = {
  requestId: REQUEST_ID,
  traceOrigin: '9IVSERVICE',
  payerId: '60054',
  serviceDate: '2026-11-21',
  askedAt,
};
const envelope = {
  sender: { qualifier: 'ZZ', id: 'IVSERVICE' },
  receiver: { qualifier: 'ZZ', id: 'PAYER' },
  controlNumber: 42,
  writtenAt: askedAt,
  usage: 'P',
} as const;

const write = (request: ReturnType<typeof aRequest>, content: Partial<InquiryContent> = {}) =>
  writeEligibilityInquiry(toEligibilityInquiry(request, { ...context, content }), envelope);

const whole = () =>
  aRequest({
    patient_info: {
      subscriber_id: 'W123 456 789',
      dob: '05/17/1984',
      name: 'José de la Cruz Jr.',
      address: '12 Main St, Springfield, IL 62701',
    },
    provider_info: {
      npi: '1234567893',
      name: 'Dr. Ann B. Smith',
      tin: '12-3456789',
      organization_name: 'Main Street Dental',
    },
    cpt_code_coverage: ['D0120', '99213', 'd0120', 'cleaning'],
  });

// Payers take one service type, and many reject a code, an address or a tax id that they do not need: with them in the first
// inquiry a covered patient is passed to a phone.
test('a first inquiry is lean: member id, names, birth date, NPI, one service type', () => {
  expect(write(whole()).split('~').slice(3, -3)).toEqual([
    `BHT*0022*13*${REQUEST_ID}*20261121*1430`,
    'HL*1**20*1',
    'NM1*PR*2*Payer Plan 1*****PI*60054',
    'HL*2*1*21*1',
    'NM1*1P*1*Smith*Ann*B.***XX*1234567893',
    'HL*3*2*22*0',
    `TRN*1*${REQUEST_ID}*9IVSERVICE`,
    'NM1*IL*1*de la Cruz*Jose***Jr*MI*W123456789',
    'DMG*D8*19840517',
    'DTP*291*D8*20261121',
    'EQ*30',
    'SE*13*0001',
  ]);
});

// Without it a medical payer answers a dentist for the plan, without a word about teeth.
test.each([
  [['D0120', 'D1110'], 'EQ*35'],
  [['D0120', '99213'], 'EQ*30'],
  [['cleaning'], 'EQ*30'],
])('the service type for the codes %j is %s', (codes, expected) => {
  const segments = write(aRequest({ cpt_code_coverage: codes })).split('~');
  expect(segments.filter((segment) => segment.startsWith('EQ'))).toEqual([expected]);
});

// Breaks if a payer that asks for a gender, or for more, gets it in another element.
test('writes every field of the table where the table says', () => {
  const request = whole();
  const content = {
    serviceTypes: ['30', '35'],
    procedures: askedProcedures(request),
    hasAddress: true,
    hasTin: true,
    gender: 'F',
  };
  expect(write(request, content).split('~')).toEqual([
    'ISA*00*          *00*          *ZZ*IVSERVICE      *ZZ*PAYER          *261121*1430*^*00501*000000042*0*P*:',
    'GS*HS*IVSERVICE*PAYER*20261121*1430*42*X*005010X279A1',
    'ST*270*0001*005010X279A1',
    `BHT*0022*13*${REQUEST_ID}*20261121*1430`,
    'HL*1**20*1',
    'NM1*PR*2*Payer Plan 1*****PI*60054',
    'HL*2*1*21*1',
    'NM1*1P*1*Smith*Ann*B.***XX*1234567893',
    'REF*TJ*123456789',
    'HL*3*2*22*0',
    `TRN*1*${REQUEST_ID}*9IVSERVICE`,
    'NM1*IL*1*de la Cruz*Jose***Jr*MI*W123456789',
    'N3*12 Main St',
    'N4*Springfield*IL*62701',
    'DMG*D8*19840517*F',
    'DTP*291*D8*20261121',
    'EQ*30',
    'EQ*35',
    'EQ**AD:D0120',
    'EQ**HC:99213',
    'SE*19*0001',
    'GE*1*42',
    'IEA*1*000000042',
    '',
  ]);
});

test('asks for a code with its modifiers, in the components of EQ02 that are for them', () => {
  const request = aRequest({
    cpt_code_coverage: [
      '99213-25',
      '99213:25',
      '99213',
      'J1100 jw',
      '20610-LT, 59',
      '99213-25-59-LT-RT',
      'D2740-14',
    ],
  });
  const asked = write(request, { procedures: askedProcedures(request) })
    .split('~')
    .filter((segment) => segment.startsWith('EQ'));
  expect(asked).toEqual([
    'EQ*30',
    'EQ**HC:99213:25',
    'EQ**HC:99213',
    'EQ**HC:J1100:JW',
    'EQ**HC:20610:LT:59',
    'EQ**HC:99213:25:59:LT:RT',
  ]);
});

test('does not ask what the request does not certainly say', () => {
  const request = aRequest({
    patient_info: { subscriber_id: ' ', dob: '17/05/1984', name: null, address: 'Springfield' },
    provider_info: { npi: '', name: 'Main Street Dental', tin: 'none' },
  });
  const segments = write(request, { hasAddress: true, hasTin: true }).split('~').slice(6, -4);
  expect(segments).toEqual([
    'HL*2*1*21*1',
    'NM1*1P*2*Main Street Dental',
    'HL*3*2*22*0',
    `TRN*1*${REQUEST_ID}*9IVSERVICE`,
    'NM1*IL*1',
    'DTP*291*D8*20261121',
    'EQ*30',
  ]);
});

test('a value cannot end its element, whatever is in it', () => {
  const request = aRequest({
    patient_info: { subscriber_id: 'W1~SE*1*0001~', name: 'Doe*~:^\r\nST*270, Jane', dob: '~' },
  });
  const text = write(request);
  expect(text).toContain('NM1*IL*1*Doe ST 270*Jane****MI*W1 SE 1 0001~');
  expect(text.split('~')).toHaveLength(17);
});

// An id's qualifier without the id, or a segment without elements, is an error of syntax: the payer refuses the inquiry
// with a 999 instead of answering.
test('leaves out what cleaning leaves nothing of, with its qualifier and its segment', () => {
  const request = aRequest({
    patient_info: { subscriber_id: '编号', name: '李 Jane', address: '李, 北京, CA 90001' },
    provider_info: { npi: '编号', name: 'Main Street Dental' },
  });
  const segments = write(request, { hasAddress: true, hasTin: true }).split('~').slice(6, -4);
  expect(segments).toEqual([
    'HL*2*1*21*1',
    'NM1*1P*2*Main Street Dental',
    'HL*3*2*22*0',
    `TRN*1*${REQUEST_ID}*9IVSERVICE`,
    'NM1*IL*1*Jane',
    'DTP*291*D8*20261121',
    'EQ*30',
  ]);
  const noCity = aRequest({
    patient_info: { subscriber_id: 'W1', name: 'Doe, Jane', address: '12 Main St, 京, CA 90001' },
  });
  expect(write(noCity, { hasAddress: true })).not.toMatch(/~N[34]/);
});

test('a text that cleaning makes longer stays within its element', () => {
  const name = `${'ß'.repeat(60)}, Jane`;
  const [, last = ''] =
    /NM1\*IL\*1\*([^*]*)/.exec(write(aRequest({ patient_info: { subscriber_id: 'W1', name } }))) ?? [];
  expect(last).toBe('s'.repeat(60));
});

// A payer refuses DMG02 without DMG01; a gender without a birth date is by itself.
test('writes a gender without a birth date', () => {
  const request = aRequest({ patient_info: { subscriber_id: 'W1', name: 'Doe, Jane' } });
  expect(write(request, { gender: 'M' })).toContain('~DMG***M~');
});

test('leaves out placeholders: a payer would reject them', () => {
  const text = write(
    aRequest({ patient_info: { subscriber_id: 'W123456789', name: 'Unknown', dob: '1900-01-01' } }),
  );
  expect(text).toContain('NM1*IL*1******MI*W123456789~');
  expect(text).not.toContain('DMG');
});

// last | first | middle | suffix. A payer that gets the halves the wrong way round answers name_mismatch.
test.each([
  ['Jane Doe', 'Doe|Jane||'],
  ['Doe, Jane', 'Doe|Jane||'],
  ['DOE,JANE Q', 'DOE|JANE|Q|'],
  ['Jane Q. Public', 'Public|Jane|Q.|'],
  ['  Jane   Ann  Marie   Public ', 'Public|Jane|Ann Marie|'],
  ['Ludwig van Beethoven', 'van Beethoven|Ludwig||'],
  ['Maria de la Cruz', 'de la Cruz|Maria||'],
  ['Van Morrison', 'Morrison|Van||'],
  ['Martin Luther King Jr.', 'King|Martin|Luther|Jr'],
  ['King, Martin Luther, Jr.', 'King|Martin|Luther|Jr'],
  ['King Jr, Martin', 'King|Martin||Jr'],
  ['John Smith III', 'Smith|John||III'],
  ['Dr. John A. Smith', 'Smith|John|A.|'],
  ['John A. Smith, MD', 'Smith|John|A.|'],
  ['Mary Smith-Jones', 'Smith-Jones|Mary||'],
  ["Sinead O'Connor", "O'Connor|Sinead||"],
  ['Madonna', 'Madonna|||'],
  ['V', 'V|||'],
  ['MD', 'MD|||'],
  ['Doe,', 'Doe|||'],
])('splits %j', (text, expected) => {
  const { last, first, middle, suffix } = splitName(text) ?? {};
  expect([last, first, middle, suffix].map((part) => part ?? '').join('|')).toBe(expected);
});

test.each(['', '   ', ',', ' , '])('finds no name in %j', (text) => {
  expect(splitName(text)).toBeNull();
});

test('takes a provider for a person only by title or degree', () => {
  expect(showsPerson('Dr. Jane Smith')).toBe(true);
  expect(showsPerson('Jane Smith, DDS')).toBe(true);
  expect(showsPerson('Main Street Dental')).toBe(false);
  expect(showsPerson('Jane Smith')).toBe(false);
});

test('splits an address as it is written in the United States', () => {
  expect(splitAddress('12 Main St, Apt 4, Springfield, il 62701-1234')).toEqual({
    lines: ['12 Main St', 'Apt 4'],
    city: 'Springfield',
    state: 'IL',
    postalCode: '627011234',
  });
  expect(splitAddress('12 Main St\nSpringfield, IL  62701')?.city).toBe('Springfield');
});

test.each(['', 'Springfield, IL 62701', '12 Main St Springfield IL 62701', 'Hauptstr. 1, 10115 Berlin'])(
  'leaves out %j',
  (text) => {
    expect(splitAddress(text)).toBeNull();
  },
);
