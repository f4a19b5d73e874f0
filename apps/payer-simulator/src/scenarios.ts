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
  /** Answers this status `times` times, or to inquiries that are `of` it; then, and to others, like `covered`. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly times?: number;
      readonly of?: (inquiry: EligibilityInquiry) => boolean;
    }
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

/** A payer that takes some inquiries and not others: which rejection, and which codes it answers for. */
function picky({
  rejects = () => undefined,
  answers = () => true,
}: {
  readonly rejects?: (inquiry: EligibilityInquiry) => string | undefined;
  readonly answers?: (code: EligibilityInquiry['procedures'][number]) => boolean;
}): Scenario {
  return {
    kind: 'answer',
    segments: (inquiry) => {
      const code = rejects(inquiry);
      if (code !== undefined) return subscriberAnswer(inquiry, [['AAA', 'N', '', code, 'C']]);
      return subscriberAnswer(
        inquiry,
        benefits.active({ ...inquiry, procedures: inquiry.procedures.filter(answers) }),
      );
    },
  };
}

const isDental = ({ qualifier }: EligibilityInquiry['procedures'][number]) => qualifier === 'AD';

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
  ['SIM-NO-CODES', picky({ answers: () => false })],
  [
    'SIM-ONE-EQ',
    picky({
      rejects: ({ serviceTypes, procedures }) =>
        serviceTypes.filter((type) => type !== '').length + procedures.length > 1 ? '33' : undefined,
    }),
  ],
  ['SIM-NO-CPT', picky({ rejects: ({ procedures }) => (procedures.every(isDental) ? undefined : '52') })],
  ['SIM-CDT-ONLY', picky({ answers: isDental })],
  ['SIM-NO-ADDRESS', picky({ rejects: ({ subscriber }) => (subscriber.address ? '73' : undefined) })],
  ['SIM-NEEDS-ADDRESS', picky({ rejects: ({ subscriber }) => (subscriber.address ? undefined : '76') })],
  ['SIM-NEEDS-GENDER', picky({ rejects: ({ subscriber }) => (subscriber.gender ? undefined : '74') })],
  ['SIM-GONE-FOR-CODES', { kind: 'status', status: 503, of: ({ procedures }) => procedures.length > 0 }],
  [
    'SIM-INACTIVE-FOR-CODES',
    answer((inquiry) => (inquiry.procedures.length > 0 ? benefits.inactive() : benefits.active(inquiry))),
  ],
  [
    'SIM-RELATIVE-FOR-CODES',
    {
      kind: 'answer',
      segments: (inquiry) =>
        inquiry.procedures.length > 0
          ? relativesAnswer(inquiry)
          : subscriberAnswer(inquiry, benefits.active(inquiry)),
    },
  ],
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

/** The scenario of a member id, with or without a number after it (`SIM-NO-CODES.17`); any unlisted id is covered. */
export function scenarioOf(memberId: string | null): Scenario {
  const id = memberId ?? '';
  return scenarios.get(id) ?? scenarios.get(id.replace(/\.\d+$/, '')) ?? covered;
}
