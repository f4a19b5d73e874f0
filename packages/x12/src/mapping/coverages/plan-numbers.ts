import type { Reference } from '../../parts/parts.ts';
import { plainText } from '../codes.ts';

/** REF01 of a plan. Some payers put the name with its number instead of into EB05. */
const PLAN_NUMBER = '18';

/** REF01 that distinguish plans: of the plan, of the group, of the group or policy. */
const KINDS: ReadonlySet<string> = new Set([PLAN_NUMBER, '6P', '1L']);

/** The numbers of a plan, by REF01, in their form for comparison. */
export type PlanNumbers = ReadonlyMap<string, ReadonlySet<string>>;

const NO_NUMBERS: PlanNumbers = new Map();

/** The numbers that distinguish the plan of a row from others. A plan without a number has its name. */
export function numbersOf(references: readonly Reference[]): PlanNumbers {
  if (references.length === 0) return NO_NUMBERS;
  const numbers = new Map<string, Set<string>>();
  for (const { qualifier, id, description } of references) {
    const number = plainText(id === '' && qualifier === PLAN_NUMBER ? (description ?? '') : id);
    if (number === '' || !KINDS.has(qualifier)) continue;
    numbers.set(qualifier, (numbers.get(qualifier) ?? new Set<string>()).add(number));
  }
  return numbers;
}

/** Whether both have numbers of one kind, and none in common. */
export function differInNumbers(one: PlanNumbers, other: PlanNumbers): boolean {
  if (one.size === 0 || other.size === 0) return false;
  for (const [kind, numbers] of one) {
    const others = other.get(kind);
    if (others && [...numbers].every((number) => !others.has(number))) return true;
  }
  return false;
}

/** All numbers of both. */
export function joinedNumbers(one: PlanNumbers, other: PlanNumbers): PlanNumbers {
  if (one.size === 0) return other;
  if (other.size === 0) return one;
  const joined = new Map(one);
  for (const [kind, numbers] of other) joined.set(kind, new Set([...(one.get(kind) ?? []), ...numbers]));
  return joined;
}

/** The name of a plan in the REF of one loop; null without one. */
export function namedPlan(references: readonly Reference[]): string | null {
  return references.find(({ qualifier }) => qualifier === PLAN_NUMBER)?.description ?? null;
}

/** The numbers of one kind (REF01), each as it was first written: case and punctuation do not distinguish them. */
export function distinctNumbers(references: readonly Reference[], qualifier: string): readonly string[] {
  const ids = new Map<string, string>();
  for (const one of references) {
    const plain = one.qualifier === qualifier ? plainText(one.id) : '';
    if (plain !== '' && !ids.has(plain)) ids.set(plain, one.id);
  }
  return [...ids.values()];
}
