import { type StepCounter, startCountingSteps } from '@insurance-verification/testing/count-steps';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const REQUEST_ID = 'req_01k9z8t5e6f7g8h9j0k1m2n3p4';

const HEAD = `ISA*00*          *00*          *ZZ*PAYER          *ZZ*IVSERVICE      *261121*0930*^*00501*000000042*0*P*:
GS*HB*PAYER*IVSERVICE*20261121*0930*42*X*005010X279A1
ST*271*0001*005010X279A1
BHT*0022*11*${REQUEST_ID}*20261121*0930
HL*1**20*1
NM1*PR*2*PAYER PLAN 1*****PI*60054
HL*2*1*21*1
NM1*1P*2*MAIN STREET DENTAL*****XX*1234567893
HL*3*2*22*0
TRN*2*${REQUEST_ID}*9IVSERVICE
NM1*IL*1*DOE*JANE****MI*W123456789
DMG*D8*19840517*F`;

function textOf(row: (index: number, count: number) => string, count: number): string {
  const rows = Array.from({ length: count }, (_, index) => row(index, count)).join('\n');
  return `${HEAD}\n${rows}\nSE*1*0001\nGE*1*42\nIEA*1*000000042`
    .split('\n')
    .map((line) => `${line}~`)
    .join('');
}

const context = {
  request: {
    patient_info: { subscriber_id: 'W123456789', dob: '1984-05-17', name: 'Jane Doe' },
    payer_info: { name: 'Payer Plan 1' },
    provider_info: { npi: '1234567893', name: 'Main Street Dental' },
    cpt_code_coverage: Array.from({ length: 97 }, (_, index) => String(99_200 + index)),
    callback_url: 'https://receiver.example/hook',
  },
  requestId: REQUEST_ID,
  serviceDate: '2026-11-21',
  payerNames: ['Payer Plan 1'] as const,
  payerTimeZone: 'America/New_York',
  receivedAt: new Date('2026-11-21T14:30:09.000Z'),
  personUuid: '00000000-0000-4000-8000-000000000001',
};

const CODES = '1 2 3 4 5 6 7 8 A B C CB D E F G H I J K L M MC N O P Q R S T U V W X Y'.split(' ');
const TYPES = '1 2 3 4 5 6 7 8 30 33 35 47 48 50 86 88 98 AL MH UC PT AD AF'.split(' ');

const of = (list: readonly string[], index: number) => list[index % list.length] ?? '';

/** A row by its position: what a reader that compares rows with rows is slow at. */
const ROWS: Readonly<Record<string, (index: number, count: number) => string>> = {
  'all types': (index) => `EB*${of(CODES, index)}*IND*${of(TYPES, index * 7)}***27*${index % 100}****Y*Y`,
  'all types, of seven plans': (index) =>
    `EB*${of(CODES, index)}*IND*${of(TYPES, index)}**PLAN${index % 7}*23*${index % 100}**VS*3*Y*${of(['Y', 'N', 'W'], index)}`,
  'a type each': (index) => `EB*${of(CODES, index)}*IND*T${index}***27*${index % 100}****Y*Y`,
  'a code each': (index) => `EB*${of(CODES, index)}*IND****27*25****Y*Y*HC:${10_000 + (index % 80_000)}`,
  'a range each': (index) =>
    `EB*${of(CODES, index)}*IND****27*25****Y*Y*HC:${10_000 + index}::::::${10_020 + index}`,
  'days and numbers each': (index) =>
    `EB*${of(CODES, index % 8)}*IND*${of(TYPES, index)}**P${index}\nDTP*346*D8*2026${String(1 + (index % 12)).padStart(2, '0')}01\nREF*18*${index}`,
  'days of one service each': (index) =>
    `EB*1**98\nDTP*348*D8*2026${String(1 + (index % 12)).padStart(2, '0')}01`,
  'one service each, after as many days of the member': (index, count) =>
    index < count / 2
      ? 'DTP*346*D8*20260101'
      : `EB*1**98\nDTP*346*D8*2025${String(1 + (index % 12)).padStart(2, '0')}01`,
  'a plan number each, after as many of the member': (index, count) =>
    index < count / 2 ? `REF*6P*${70_000_000 + index}` : `EB*1**30\nREF*6P*${70_000_000 + index}`,
  'one other payer, named again and again': (index) =>
    index === 0 ? 'EB*1**30\nEB*R**30\nLS*2120' : `NM1*PRP*2*PAYER ${index % 3}*****PI*${index % 3}`,
};

/** More steps for a character than any answer needs, whichever its rows are. */
const STEPS_A_CHARACTER_MAX = 1_500;

// Broke: 4 MB of rows of all types took 14.4 s of the verifier's time, and twice as many four times as long.
describe('an answer costs in proportion to its length', () => {
  let steps: StepCounter;
  let read: (text: string) => unknown;
  beforeAll(async () => {
    steps = await startCountingSteps();
    const { readFinding } = await import('@insurance-verification/x12');
    read = (text) => readFinding(text, context);
  });
  afterAll(() => steps.stop());

  test.each(Object.entries(ROWS))('rows of %s', async (_name, row) => {
    const [short, long] = [textOf(row, 1_000), textOf(row, 4_000)];
    const ofShort = await steps.count(() => read(short));
    const ofLong = await steps.count(() => read(long));
    expect(ofLong / ofShort).toBeLessThan((1.25 * long.length) / short.length);
    expect(ofLong / long.length).toBeLessThan(STEPS_A_CHARACTER_MAX);
  });
});
