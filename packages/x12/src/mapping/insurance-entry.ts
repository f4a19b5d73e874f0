import type { InsurancePlanData } from '@insurance-verification/schema';
import type { AnswerContext } from './finding.ts';
import type { PlacedMember } from './member/choose-member.ts';
import { patientOf } from './member/patient-of.ts';
import { verificationTime } from './verification-time.ts';

/** Notes are for people; nobody writes longer ones for them. */
const NOTES_LENGTH_MAX = 10_000;

/** One entry about a member: the plan and what all entries of the answer share. Repeated notes are dropped. */
export function insuranceEntry(
  placed: PlacedMember,
  context: AnswerContext,
  notes: readonly string[],
  plan: InsurancePlanData['plan_info'],
): InsurancePlanData {
  const text = [...new Set(notes)].join('\n').slice(0, NOTES_LENGTH_MAX);
  return {
    uuid: null,
    person_uuid: context.personUuid,
    request_id: context.requestId,
    verification_time: verificationTime(placed.answer, context),
    verification_source: 'api',
    notes: text === '' ? null : text,
    patient_info: patientOf(placed, context.request),
    plan_info: plan,
  };
}
