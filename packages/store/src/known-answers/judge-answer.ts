import type { InsurancePlanData, KnownAnswer, KnownField } from '@insurance-verification/schema';
import { differenceOf, type FieldValue } from '../output/comparison/compare-values.ts';
import { type ComparisonKind, COMPARED_FIELDS } from '../output/comparison/compared-fields.ts';

/** `unanswered`: the answer leaves the field open where the payer has a value. */
type Verdict = 'right' | 'wrong' | 'unanswered';

/** The verdict on one field of an answer. */
export interface Judged {
  readonly field: KnownField;
  /** Of `cpt_code`; otherwise null. */
  readonly code: string | null;
  readonly verdict: Verdict;
}

/**
 * Compares an answer with the right one, in each field that the right one has, by the rules for held outputs. Of several
 * coverages it takes the one that agrees most. Without any, as for a request that could not be verified, every field is
 * unanswered.
 */
export function judgeAnswer(known: KnownAnswer, coverages: readonly InsurancePlanData[]): Judged[] {
  const [first, ...others] = coverages.map(({ plan_info: plan }) => judgePlan(known, plan));
  if (!first) return judgePlan(known, null);
  return others.reduce((best, one) => (scoreOf(one) > scoreOf(best) ? one : best), first);
}

const scoreOf = (judged: readonly Judged[]): number =>
  judged.reduce((sum, { verdict }) => sum + POINTS[verdict], 0);

const POINTS: Readonly<Record<Verdict, number>> = { right: 1, wrong: -1, unanswered: 0 };

type Plan = InsurancePlanData['plan_info'];

function judgePlan(known: KnownAnswer, plan: Plan | null): Judged[] {
  const ofFields = PLAN_FIELDS.flatMap((field): Judged[] => {
    const right = known[field];
    if (right === undefined) return [];
    const [kind] = COMPARED_FIELDS[`/insurance_data/*/plan_info/${field}`];
    return [{ field, code: null, verdict: plan ? verdictOf(kind, right, plan[field]) : 'unanswered' }];
  });
  const covered = plan?.cpt_code_coverage;
  const ofCodes = (known.codes ?? []).map(({ code, is_covered: isCovered }): Judged => {
    const verdict = !covered ? 'unanswered' : covered.includes(code) === isCovered ? 'right' : 'wrong';
    return { field: 'cpt_code', code, verdict };
  });
  return [...ofFields, ...ofCodes];
}

const PLAN_FIELDS = ['eligibility_status', 'plan_name', 'start_date', 'end_date'] as const;

function verdictOf(kind: ComparisonKind, right: FieldValue, given: FieldValue): Verdict {
  const { difference } = differenceOf(kind, right, given);
  if (difference === 'missing') return 'unanswered';
  return difference === 'none' || difference === 'form' ? 'right' : 'wrong';
}
