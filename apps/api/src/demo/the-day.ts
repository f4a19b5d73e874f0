import type { RequestInfo } from '@insurance-verification/schema';

/** The clinics of a demo day; their accounts are test accounts. */
export const CLINICS = ['Bayside Dental (demo)', 'Elm Street Family (demo)', 'Harbor Orthodontics (demo)'];

/**
 * What becomes of a request of the day.
 *
 * | end          | how                                                                                     |
 * |--------------|-----------------------------------------------------------------------------------------|
 * | `delivered`  | the sandbox answers its member id, and the service's own receiver takes the webhook     |
 * | `given_up`   | as above, but the receiver answers 410                                                  |
 * | `waiting`    | no member id of the sandbox: it waits for a verifier                                    |
 * | `overdue`    | as above, needed two hours ago                                                          |
 * | `on_a_call`  | as above, and a colleague is on the phone with the payer                                |
 * | `mismatch`   | as above, and an output about another member id is held                                 |
 * | `contested`  | a colleague's result is accepted, and a second one that differs is held                 |
 */
export type DemoEnd =
  | 'delivered'
  | 'given_up'
  | 'waiting'
  | 'overdue'
  | 'on_a_call'
  | 'mismatch'
  | 'contested';

export interface DemoRequest {
  readonly clinic: number;
  readonly payer: number;
  readonly end: DemoEnd;
  readonly input: Omit<RequestInfo, 'payer_info' | 'callback_url'>;
}

const COUNTS: readonly (readonly [member: string, count: number, end: DemoEnd])[] = [
  ['TEST-BENEFITS-DENTAL', 6, 'delivered'],
  ['TEST-BENEFITS-MEDICAL', 2, 'delivered'],
  ['TEST-BENEFITS-MEDICARE', 1, 'delivered'],
  ['TEST-ACTIVE', 3, 'delivered'],
  ['TEST-INACTIVE', 2, 'delivered'],
  ['TEST-SEVERAL', 1, 'delivered'],
  ['TEST-MEMBER-NOT-FOUND', 2, 'delivered'],
  ['TEST-DOB-MISMATCH', 1, 'delivered'],
  ['TEST-PAYER-UNAVAILABLE', 1, 'delivered'],
  ['TEST-BENEFITS-DENTAL', 2, 'given_up'],
  ['TEST-ACTIVE', 3, 'given_up'],
  ['', 7, 'waiting'],
  ['', 3, 'overdue'],
  ['', 1, 'on_a_call'],
  ['', 3, 'mismatch'],
  ['', 2, 'contested'],
];

const FIRST_NAMES = ['Maria', 'James', 'Aisha', 'Wei', 'Olga', 'Carlos', 'Hannah'];
const LAST_NAMES = ['Santos', 'Miller', 'Khan', 'Chen', 'Novak', 'Reyes'];
const PROVIDERS = [
  { npi: '1234567893', name: 'Dr. Ana Roe', organization_name: 'Bayside Dental' },
  { npi: '1245319599', name: 'Dr. Paul Wirth', organization_name: 'Elm Street Family Dentistry' },
  { npi: '1003000126', name: 'Dr. Lena Bauer', organization_name: 'Harbor Orthodontics' },
];
const CODES = [['D0120', 'D1110'], ['D2740'], ['D8080', 'D0120'], ['D1110']];

const ENDS = COUNTS.flatMap(([member, count, end]) => Array.from({ length: count }, () => ({ member, end })));

/** The requests of the day, clinic by clinic. Their patients are invented. */
export const DEMO_REQUESTS: readonly DemoRequest[] = PROVIDERS.flatMap((provider_info, clinic) =>
  ENDS.flatMap(({ member, end }, index) => {
    if (index % PROVIDERS.length !== clinic) return [];
    const patient_info = {
      subscriber_id: member || `W${100_200_345 + index * 1_117}`,
      dob: `19${60 + (index % 40)}-0${1 + (index % 9)}-1${index % 10}`,
      name: `${FIRST_NAMES[index % FIRST_NAMES.length]} ${LAST_NAMES[index % LAST_NAMES.length]}`,
    };
    const cpt_code_coverage = CODES[index % CODES.length];
    return [{ clinic, payer: index % 4, end, input: { patient_info, provider_info, cpt_code_coverage } }];
  }),
);

/** Where the demo's webhook goes: this process, which checks its signature. */
export const DEMO_RECEIVER_PATH = '/demo/receiver';
