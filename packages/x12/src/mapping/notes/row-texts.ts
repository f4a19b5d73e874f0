import type { BenefitLevel } from '@insurance-verification/schema';
import type { Benefit } from '../../answer/eligibility-answer.ts';
import { NONE } from '../../parts/parts.ts';

/** Ages (EB09 S7, S8), places and diagnoses (III, EB14). */
export function rangesOf(row: Benefit): readonly string[] {
  const { quantity, quantityQualifier, information, diagnosisPointers } = row;
  if (quantity === null && information.length === 0 && diagnosisPointers === null) return NONE;
  const ranges: string[] = [];
  if (quantity !== null && quantityQualifier === 'S7') ranges.push(`up to the age of ${quantity} (EB09 S7)`);
  if (quantity !== null && quantityQualifier === 'S8') ranges.push(`from the age of ${quantity} (EB09 S8)`);
  const places: string[] = [];
  const others: string[] = [];
  for (const { qualifier, code, text } of information) {
    if (qualifier === 'ZZ' && code !== null) places.push(code);
    else if (code !== null && DIAGNOSES.has(qualifier ?? '')) others.push(`for diagnosis ${code} (III)`);
    if (text !== null) others.push(`for ${text} (III)`);
  }
  if (places.length > 0) ranges.push(`at place of service ${places.join(', ')} (III)`);
  if (diagnosisPointers !== null) ranges.push('for a diagnosis (EB14)');
  return [...ranges, ...new Set(others)];
}

/** III01 of a diagnosis in ICD-9 and ICD-10. */
const DIAGNOSES: ReadonlySet<string> = new Set(['BF', 'BK', 'ABF', 'ABK']);

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
