import type {
  CoverageBenefits,
  InsurancePlanData,
  RequestBenefits,
  RequestInfo,
} from '@insurance-verification/schema';
import type { StoredBenefits } from '@insurance-verification/store';
import { LRUCache } from 'lru-cache';
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

/**
 * What was read of a version, for a minute, up to 20,000 rows: 2,000 rows take 30 ms of the event loop. The caller has
 * read from the database that the request is not erased.
 */
const readBefore = new LRUCache<string, CoverageBenefits[]>({
  maxSize: 20_000,
  sizeCalculation: (coverages) => coverages.reduce((count, { benefits }) => count + benefits.length, 1),
  ttl: 60_000,
  ttlAutopurge: true,
});

function coveragesOf({ requestId, version, input, insuranceData, benefits }: StoredSaid): CoverageBenefits[] {
  const key = `${requestId} ${version}`;
  const coverages = readBefore.get(key) ?? readCoverages(insuranceData, benefits, input);
  readBefore.set(key, coverages, { noUpdateTTL: true });
  return coverages;
}

/** The benefits of a version in the API's form. */
export function toRequestBenefits(said: StoredSaid): RequestBenefits {
  const { requestId, version, insuranceData, serviceDate, benefits } = said;
  const [first] = insuranceData;
  return {
    request_id: requestId,
    version,
    verification_source: first?.verification_source ?? null,
    verification_time: first?.verification_time ?? null,
    service_date: serviceDate,
    left_out: benefits?.leftOut ?? 0,
    coverages: coveragesOf(said),
  };
}
