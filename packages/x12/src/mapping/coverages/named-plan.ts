import { type Reference } from '../../parts/parts.ts';

/** REF01 of a plan. Some payers put the name with its number instead of into EB05. */
const PLAN_NUMBER = '18';

/** The name of a plan in the REF of one loop; null without one. */
export function namedPlan(references: readonly Reference[]): string | null {
  return references.find(({ qualifier }) => qualifier === PLAN_NUMBER)?.description ?? null;
}
