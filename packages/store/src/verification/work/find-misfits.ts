import type { InsurancePlanData, RequestInfo } from '@insurance-verification/schema';
import { isAboutRequest } from '../../output/decide-disposition.ts';
import type { QueueName } from '../route.ts';

/** A wrong field of an entry: it is not the leased channel, or concerns another patient. */
export interface Misfit {
  readonly index: number;
  readonly field: 'verification_source' | 'patient_info';
}

/** Everything that prevents entries from being a leased request's result, so that one correction fixes it all. */
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
