import type { InsurancePlanData, WorkItem } from '@insurance-verification/schema';
import type { CodeAnswers } from '../prompts/ask-codes.ts';
import type { CoverageDraft, Draft } from './draft.ts';

/** The coverages of a draft as they are handed in. */
export function insuranceDataOf(item: WorkItem, { coverages }: Draft): InsurancePlanData[] {
  return coverages.map((coverage) => entryOf(item, coverage));
}

function entryOf({ request, channel }: WorkItem, draft: CoverageDraft): InsurancePlanData {
  const { patient_info: patient, payer_info: payer } = request.input;
  const { dob: _dob, ...withoutDob } = patient;
  return {
    person_uuid: crypto.randomUUID(),
    verification_time: new Date().toISOString(),
    verification_source: channel,
    notes: notesOf(draft),
    patient_info: draft.isAsRequested
      ? patient
      : {
          ...withoutDob,
          subscriber_id: draft.subscriberId ?? '',
          ...(draft.dob && { dob: draft.dob }),
        },
    plan_info: {
      payer_name: payer.name,
      plan_name: draft.plan ?? null,
      eligibility_status: draft.status ?? null,
      start_date: draft.start ?? null,
      end_date: draft.end ?? null,
      cpt_code_coverage: coveredOf(draft.codes),
    },
  };
}

/** The covered codes; null when the payer said nothing about any. */
function coveredOf(codes: CodeAnswers = []): string[] | null {
  if (codes.every(({ answer }) => answer === 'not told')) return null;
  return codes.filter(({ answer }) => answer === 'covered').map(({ code }) => code);
}

/** A result lists covered codes only, so codes that are not covered go into the notes for the provider. */
function notesOf({ notes, codes = [] }: CoverageDraft): string | null {
  const refused = codes.filter(({ answer }) => answer === 'not covered').map(({ code }) => code);
  const lines = [notes ?? '', refused.length === 0 ? '' : `Not covered: ${refused.join(', ')}.`];
  return lines.filter((line) => line !== '').join('\n') || null;
}
