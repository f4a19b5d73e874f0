import type { InsurancePlanData, RequestInfo } from '@insurance-verification/schema';
import { namesRequest, patientFaults } from '../../output/compare-entries.ts';
import type { QueueName } from '../../tables/route.ts';

/** A wrong field of an entry. */
export type Misfit =
  /** It is not of the leased channel. */
  | { readonly kind: 'channel'; readonly index: number }
  /** It names another request, or another patient. */
  | { readonly kind: 'another_patient'; readonly index: number }
  /** It is not certain whether it is the patient; `sentence` says why. The verifier can confirm it. */
  | { readonly kind: 'patient_unconfirmed'; readonly index: number; readonly sentence: string };

export interface SubmittedEntries {
  readonly insuranceData: readonly InsurancePlanData[];
  /** The verifier says that it is the patient, where the data does not show it. */
  readonly isPatientConfirmed: boolean;
}

/** Everything that prevents entries from being a leased request's result, so that one correction fixes it all. */
export function findMisfits(
  { insuranceData, isPatientConfirmed }: SubmittedEntries,
  request: { readonly id: string; readonly input: RequestInfo; readonly channel: QueueName },
): Misfit[] {
  const misfits: Misfit[] = [];
  for (const [index, entry] of insuranceData.entries()) {
    if (entry.verification_source !== request.channel) misfits.push({ kind: 'channel', index });
    if (!namesRequest(entry, request.id)) misfits.push({ kind: 'another_patient', index });
  }
  const strangers = new Set(
    misfits.flatMap(({ kind, index }) => (kind === 'another_patient' ? [index] : [])),
  );
  for (const { index, kind, sentence } of patientFaults(insuranceData, request.input.patient_info))
    if (strangers.has(index)) continue;
    else if (kind === 'another') misfits.push({ kind: 'another_patient', index });
    else if (!isPatientConfirmed) misfits.push({ kind: 'patient_unconfirmed', index, sentence });
  return misfits.toSorted((one, other) => one.index - other.index);
}
