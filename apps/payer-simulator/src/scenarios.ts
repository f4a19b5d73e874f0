import type { EligibilityInquiry, SegmentValue } from '@insurance-verification/x12';
import {
  type AnswerShape,
  benefits,
  dependentAnswer,
  namedDependentAnswer,
  payerRejection,
  providerRejection,
  relativesAnswer,
  subscriberAnswer,
  twinsAnswer,
} from './answer-271.ts';

/** What the simulator does with an inquiry. */
export type Scenario =
  /** Answers a 271 with these segments after `delayMs`. */
  | {
      readonly kind: 'answer';
      readonly segments: (inquiry: EligibilityInquiry) => readonly SegmentValue[];
      readonly shape?: AnswerShape;
      readonly delayMs?: number;
    }
  | { readonly kind: 'reject_group' | 'reject_interchange' | 'html' | 'truncated' | 'hang' | 'hang_midway' }
  /** Answers this status `times` times, then like `covered`. */
  | { readonly kind: 'status'; readonly status: number; readonly times?: number }
  | { readonly kind: 'reset' | 'no_http' };

const covered: Scenario = {
  kind: 'answer',
  segments: (inquiry) => subscriberAnswer(inquiry, benefits.active(inquiry)),
};
const answer = (
  rows: (inquiry: EligibilityInquiry) => readonly SegmentValue[],
  shape?: AnswerShape,
): Scenario => ({
  kind: 'answer',
  segments: (inquiry) => subscriberAnswer(inquiry, rows(inquiry)),
  ...(shape && { shape }),
});

/** AAA03 codes of the levels above the patient; all others go into the patient's loop. */
const PAYER_CODES = ['04', '41', '42', '79', '80', 'T4'];
const PROVIDER_CODES = ['15', '43', '44', '45', '46', '47', '48', '49', '50', '51', '97'];
const PATIENT_CODES = (
  '33 35 52 53 54 55 56 57 58 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 98 ' +
  'AA AE AF AG AO CI E8 IA MA'
).split(' ');

function rejection(code: string): Scenario {
  return {
    kind: 'answer',
    segments: (inquiry) => {
      if (PAYER_CODES.includes(code)) return payerRejection(inquiry, code);
      if (PROVIDER_CODES.includes(code)) return providerRejection(inquiry, code);
      return subscriberAnswer(inquiry, [['AAA', 'N', '', code, 'C']]);
    },
  };
}

const scenarios = new Map<string, Scenario>([
  ['SIM-ACTIVE', covered],
  ['SIM-INACTIVE', answer(benefits.inactive)],
  ['SIM-SEVERAL', answer(benefits.several)],
  ['SIM-OTHER-PAYER', answer(benefits.otherPayer)],
  ['SIM-MEDICAL', answer(benefits.sample('medical'))],
  ['SIM-DENTAL', answer(benefits.sample('dental'))],
  ['SIM-MEDICARE', answer(benefits.sample('medicare'))],
  ['SIM-ENDED', answer(benefits.ended)],
  ['SIM-UNSURE', answer(benefits.unsure)],
  ['SIM-DEPENDENT', { kind: 'answer', segments: dependentAnswer }],
  ['SIM-NAMED-DEPENDENT', { kind: 'answer', segments: namedDependentAnswer }],
  ['SIM-OTHER-COSTS', answer(benefits.otherCosts)],
  ['SIM-RELATIVE', { kind: 'answer', segments: relativesAnswer }],
  ['SIM-TWINS', { kind: 'answer', segments: twinsAnswer }],
  ['SIM-OTHER-DELIMITERS', answer(benefits.active, { otherDelimiters: true })],
  ['SIM-WRONG-TRACE', answer(benefits.active, { otherTrace: true })],
  ['SIM-WRONG-CONTROL', answer(benefits.active, { otherControlNumber: true })],
  ['SIM-999', { kind: 'reject_group' }],
  ['SIM-TA1', { kind: 'reject_interchange' }],
  ['SIM-HTML', { kind: 'html' }],
  ['SIM-TRUNCATED', { kind: 'truncated' }],
  ['SIM-SLOW', { ...covered, delayMs: 2_000 }],
  ['SIM-HANG', { kind: 'hang' }],
  ['SIM-HANG-MIDWAY', { kind: 'hang_midway' }],
  ['SIM-RESET', { kind: 'reset' }],
  ['SIM-NO-HTTP', { kind: 'no_http' }],
  ['SIM-500', { kind: 'status', status: 500 }],
  ['SIM-500-ONCE', { kind: 'status', status: 500, times: 1 }],
  ['SIM-503', { kind: 'status', status: 503 }],
  ['SIM-429', { kind: 'status', status: 429 }],
  ['SIM-401', { kind: 'status', status: 401 }],
  ...[...PAYER_CODES, ...PROVIDER_CODES, ...PATIENT_CODES].map(
    (code) => [`SIM-AAA-${code}`, rejection(code)] as const,
  ),
]);

/** The member ids that select a scenario. */
export const SCENARIO_MEMBER_IDS: readonly string[] = [...scenarios.keys()];

/** The scenario of a member id; any unlisted id is covered. */
export function scenarioOf(memberId: string | null): Scenario {
  return scenarios.get(memberId ?? '') ?? covered;
}
