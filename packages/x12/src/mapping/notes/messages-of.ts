import type { Benefit } from '../../answer/eligibility-answer.ts';
import { WHOLE_PLAN } from '../coverages/benefit-codes.ts';
import { serviceTypeNames } from '../service-types.ts';

/** The payer's messages, each behind the service or the code that it belongs to; what is said of the plan too, once. */
export function messagesOf(rows: readonly Benefit[]): string[] {
  const telling = rows
    .filter(({ messages }) => messages.length > 0)
    .map((row) => ({ messages: row.messages, subject: subjectOf(row) }));
  const ofPlan = new Set(telling.flatMap(({ messages, subject }) => (subject === null ? messages : [])));
  return telling.flatMap(({ messages, subject }) => {
    if (subject === null) return messages;
    return messages.filter((message) => !ofPlan.has(message)).map((message) => `${subject}: ${message}`);
  });
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
