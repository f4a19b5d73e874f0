import {
  type CoverageBenefits,
  type InsurancePlanData,
  type RequestBenefits,
  type RequestInfo,
  SUBMITTED_BENEFIT_COUNT_MAX,
  SubmittedBenefit,
  type SubmittedCoverage,
  type ValidationError,
} from '@insurance-verification/schema';
import type { FoundBenefits, StoredBenefits, StoredCoverage } from '@insurance-verification/store';
import { LRUCache } from 'lru-cache';
import { readCoverages } from './read-benefits.ts';

/** A version of a result, with the submitted benefits as stored. */
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

/** The faults in the coverages of a submission that its model cannot detect. */
export function faultsOfCoverages(
  coverages: readonly SubmittedCoverage[],
  insuranceData: readonly InsurancePlanData[],
): ValidationError[] {
  const named = new Set<number>();
  const faults: ValidationError[] = [];
  for (const [index, { entry }] of coverages.entries()) {
    const loc = ['body', 'benefits', index, 'entry'];
    if (entry < 0 || entry >= insuranceData.length)
      faults.push({ loc, msg: 'The entry must be a position in insurance_data', type: 'no_such_entry' });
    else if (named.has(entry))
      faults.push({ loc, msg: 'The entry must be named once', type: 'entry_named_twice' });
    named.add(entry);
  }
  const count = coverages.reduce((sum, { benefits }) => sum + benefits.length, 0);
  if (count > SUBMITTED_BENEFIT_COUNT_MAX)
    faults.push({
      loc: ['body', 'benefits'],
      msg: `A submission should have at most ${SUBMITTED_BENEFIT_COUNT_MAX} benefits`,
      type: 'too_long',
    });
  return faults;
}

/**
 * The other findings of a person or an agent, as stored: in the order of the entries, members that are
 * null or empty left out. The day is that of the first entry's verification. Absent where nothing was found.
 */
export function foundBenefits(
  coverages: readonly SubmittedCoverage[],
  insuranceData: readonly InsurancePlanData[],
): FoundBenefits | undefined {
  const [first] = insuranceData;
  if (!first) return undefined;
  let row = 0;
  const byEntry = new Map(coverages.map((coverage) => [coverage.entry, coverage]));
  const kept = insuranceData.map((_, entry): StoredCoverage => {
    const { group_number, relationship, order, benefits = [] } = byEntry.get(entry) ?? {};
    return {
      group_number: group_number || null,
      relationship: relationship ?? null,
      order: order ?? null,
      rows: benefits.map((benefit) => ({
        row: row++,
        submitted: SubmittedBenefit.parse(withoutEmpty(benefit)),
      })),
    };
  });
  if (kept.every(isNothing)) return undefined;
  return { serviceDate: first.verification_time.slice(0, 10), leftOut: 0, coverages: kept };
}

function isNothing({ group_number, relationship, order, rows }: StoredCoverage): boolean {
  return rows.length === 0 && (group_number ?? relationship ?? order) === null;
}

/** Without members that are null, false or empty. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withoutEmpty(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => !isEmpty(member)));
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
