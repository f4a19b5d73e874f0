import type { Benefit } from '../../answer/eligibility-answer.ts';
import { WHOLE_PLAN } from '../coverages/benefit-codes.ts';
import { serviceTypeNames } from '../service-types.ts';

/** The payer's messages, each after the service or the code that it belongs to; what is said of the plan too, once. */
export function messagesOf(rows: readonly Benefit[]): string[] {
  const said: { readonly message: string; readonly subject: string | null }[] = [];
  for (const row of rows) {
    if (row.messages.length === 0) continue;
    const subject = subjectOf(row);
    for (const message of row.messages) said.push({ message, subject });
  }
  const ofPlan = new Set<string>();
  for (const { message, subject } of said) if (subject === null) ofPlan.add(message);
  const texts: string[] = [];
  for (const { message, subject } of said)
    if (subject === null) texts.push(message);
    else if (!ofPlan.has(message)) texts.push(`${subject}: ${message}`);
  return texts;
}

const CODE_COUNT_MAX = 20;

/** Null for the plan. */
function subjectOf({ serviceTypes, procedures }: Benefit): string | null {
  if (procedures.length > 0)
    return procedures
      .slice(0, CODE_COUNT_MAX)
      .map(({ code }) => code)
      .join(', ');
  return serviceTypes.length === 0 || serviceTypes.includes(WHOLE_PLAN)
    ? null
    : serviceTypeNames(serviceTypes);
}
