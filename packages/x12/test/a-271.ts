import type { InsurancePlanData, RequestInfo } from '@insurance-verification/schema';
import type { AnswerContext } from '../src/index.ts';

export const REQUEST_ID = 'req_01k9z8t5e6f7g8h9j0k1m2n3p4';

/** The request that the fixtures answer. */
export function aRequest(overrides: Partial<RequestInfo> = {}): RequestInfo {
  return {
    patient_info: { subscriber_id: 'W123456789', dob: '1984-05-17', name: 'Jane Doe' },
    payer_info: { name: 'Payer Plan 1' },
    provider_info: { npi: '1234567893', name: 'Main Street Dental' },
    callback_url: 'https://receiver.example/hook',
    ...overrides,
  };
}

export function aContext(overrides: Partial<AnswerContext> = {}): AnswerContext {
  return {
    request: aRequest(),
    requestId: REQUEST_ID,
    serviceDate: '2026-11-21',
    payerNames: ['Payer Plan 1', 'Payer Plan 2', 'Payer Plan 3', 'Payer Plan 4'],
    payerTimeZone: 'America/New_York',
    receivedAt: new Date('2026-11-21T14:30:09.000Z'),
    personUuid: '00000000-0000-4000-8000-000000000001',
    ...overrides,
  };
}

const ISA =
  'ISA*00*          *00*          *ZZ*PAYER          *ZZ*IVSERVICE      *261121*0930*^*00501*000000042*0*P*:';

/** Segments on lines of their own, in the envelope of a 271, as a payer sends them. */
export function a271(body: string, { transactionId = '271' } = {}): string {
  const segments = linesOf(body);
  return [
    ISA,
    'GS*HB*PAYER*IVSERVICE*20261121*0930*42*X*005010X279A1',
    `ST*${transactionId}*0001*005010X279A1`,
    ...segments,
    `SE*${segments.length + 2}*0001`,
    'GE*1*42',
    'IEA*1*000000042',
    '',
  ].join('~');
}

/** An interchange around anything: TA1 segments, other groups. */
export function anInterchange(...segments: string[]): string {
  return [ISA, ...segments, 'IEA*1*000000042', ''].join('~');
}

/** The head of a 271 down to the subscriber, who is the patient; then what the fixture adds. */
export function aSubscriber(body: string): string {
  return `${PROVIDER}\n${SUBSCRIBER}\n${body}`;
}

export const PAYER = `
BHT*0022*11*${REQUEST_ID}*20261121*0930
HL*1**20*1
NM1*PR*2*PAYER PLAN 1*****PI*60054`;

export const PROVIDER = `${PAYER}
HL*2*1*21*1
NM1*1P*2*MAIN STREET DENTAL*****XX*1234567893`;

export const SUBSCRIBER = `
HL*3*2*22*0
TRN*2*${REQUEST_ID}*9IVSERVICE
NM1*IL*1*DOE*JANE****MI*W123456789
N3*12 ELM ST
N4*SPRINGFIELD*IL*62701
DMG*D8*19840517*F`;

/** The entry that {@link aSubscriber} comes to, but for its plan. */
export function anEntry(
  plan: Partial<InsurancePlanData['plan_info']>,
  rest: Partial<InsurancePlanData> = {},
): InsurancePlanData {
  return {
    uuid: null,
    person_uuid: '00000000-0000-4000-8000-000000000001',
    request_id: REQUEST_ID,
    verification_time: '2026-11-21T09:30:00-05:00',
    verification_source: 'api',
    notes: null,
    patient_info: {
      subscriber_id: 'W123456789',
      dob: '1984-05-17',
      name: 'JANE DOE',
      address: '12 ELM ST, SPRINGFIELD, IL 62701',
    },
    ...rest,
    plan_info: {
      payer_name: 'Payer Plan 1',
      plan_name: null,
      eligibility_status: 'Active',
      start_date: null,
      end_date: null,
      cpt_code_coverage: null,
      ...plan,
    },
  };
}

function linesOf(body: string): string[] {
  return body
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
