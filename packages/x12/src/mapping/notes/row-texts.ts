import type { BenefitLevel } from '@insurance-verification/schema';
import type { Benefit } from '../../answer/eligibility-answer.ts';
import { NONE } from '../../parts/parts.ts';

/** Ages (EB09 S7, S8) and places (III). */
export function rangesOf({ quantity, quantityQualifier, information }: Benefit): readonly string[] {
  if (quantity === null && information.length === 0) return NONE;
  const ranges: string[] = [];
  if (quantity !== null && quantityQualifier === 'S7') ranges.push(`up to the age of ${quantity} (EB09 S7)`);
  if (quantity !== null && quantityQualifier === 'S8') ranges.push(`from the age of ${quantity} (EB09 S8)`);
  const places: string[] = [];
  for (const { qualifier, code } of information) if (qualifier === 'ZZ' && code !== null) places.push(code);
  if (places.length > 0) ranges.push(`at place of service ${places.join(', ')} (III)`);
  return ranges;
}

/** With a blank before each; empty for none. */
export function rangesText(row: Benefit): string {
  return rangesOf(row)
    .map((range) => ` ${range}`)
    .join('');
}

/** People of EB02 in our own words. */
const PEOPLE: Partial<Record<BenefitLevel, string>> = {
  children: 'the children',
  dependents: 'the dependents',
  employee: 'the employee',
  employee_and_children: 'the employee and the children',
  employee_and_spouse: 'the employee and the spouse',
  spouse: 'the spouse',
  spouse_and_children: 'the spouse and the children',
  two_persons: 'two persons',
};

/** The people that a row is for, as a sentence names them. */
export function peopleName(level: BenefitLevel | null): string {
  return (level === null ? undefined : PEOPLE[level]) ?? 'other people';
}
