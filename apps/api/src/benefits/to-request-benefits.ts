import type { InsurancePlanData, RequestBenefits, RequestInfo } from '@insurance-verification/schema';
import type { StoredBenefits } from '@insurance-verification/store';
import { readCoverages } from './read-coverages.ts';

/** A version of a result, with what was said beside it as it is stored. */
interface StoredSaid {
  readonly requestId: string;
  readonly version: number;
  readonly input: RequestInfo;
  readonly insuranceData: readonly InsurancePlanData[];
  readonly serviceDate: string | null;
  readonly benefits: StoredBenefits | null;
}

/** The benefits of a version in the API's form. */
export function toRequestBenefits({
  requestId,
  version,
  input,
  insuranceData,
  serviceDate,
  benefits,
}: StoredSaid): RequestBenefits {
  const [first] = insuranceData;
  return {
    request_id: requestId,
    version,
    verification_source: first?.verification_source ?? null,
    verification_time: first?.verification_time ?? null,
    service_date: serviceDate,
    left_out: benefits?.leftOut ?? 0,
    coverages: readCoverages(insuranceData, benefits, input),
  };
}
