import type { InsurancePlanData, RequestInfo } from '@insurance-verification/schema';
import { isAboutRequest } from '../../output/decide-disposition.ts';
import type { QueueName } from '../route.ts';

/** A field of an entry that does not fit: it is not of the leased channel, or about another patient. */
export interface Misfit {
  readonly index: number;
  readonly field: 'verification_source' | 'patient_info';
}

/** What keeps entries from being the result of a leased request: all of it, so that one round puts it right. */
export function findMisfits(
  insuranceData: readonly InsurancePlanData[],
  request: { readonly id: string; readonly input: RequestInfo; readonly channel: QueueName },
): Misfit[] {
  return insuranceData.flatMap((entry, index): Misfit[] => [
    ...(entry.verification_source === request.channel
      ? []
      : [{ index, field: 'verification_source' as const }]),
    ...(isAboutRequest(entry, request) ? [] : [{ index, field: 'patient_info' as const }]),
  ]);
}
