import {
  type Benefit,
  type BenefitProcedure,
  BenefitReading,
  type CoverageBenefits,
  type InsurancePlanData,
  type NamedCode,
  onlyPlanName,
  type RequestInfo,
  type SubmittedBenefit,
  summariseBenefits,
  unansweredServices,
} from '@insurance-verification/schema';
import type { StoredBenefits, StoredCoverage, SubmittedRow } from '@insurance-verification/store';
import {
  amountOf,
  askedProcedures,
  askedServiceTypes,
  decimalOf,
  placeName,
  readKeptRows,
  serviceTypeName,
} from '@insurance-verification/x12';

/**
 * The benefits of each entry of a result. Of a result that came without, each entry has empty lists. Where rows of an answer
 * were too many to keep, the summary was made of all of them before.
 */
export function readCoverages(
  insuranceData: readonly InsurancePlanData[],
  stored: StoredBenefits | null,
  input: RequestInfo,
): CoverageBenefits[] {
  const procedures = askedProcedures(input);
  const types = askedServiceTypes(input);
  const named = insuranceData.map(({ plan_info: plan }) => plan.plan_name ?? null);
  return insuranceData.map(({ plan_info: plan, verification_time: verifiedAt }, entry) => {
    const found = stored?.coverages[entry];
    const benefits = stored && found ? readRows(found.rows, stored) : [];
    const relationship = found?.relationship ?? null;
    const status = plan.eligibility_status ?? null;
    const reading = new BenefitReading(benefits, {
      plans: named.length === 1 ? [named[0] ?? onlyPlanName(benefits.map((row) => row.plan))] : named,
      entry,
      status,
      relationship,
      serviceDate: stored?.serviceDate ?? verifiedAt.slice(0, 10),
    });
    return {
      entry,
      plan_name: named[entry] ?? null,
      eligibility_status: status,
      group_number: found?.group_number ?? null,
      relationship,
      order: found?.order ?? null,
      benefits,
      unanswered:
        benefits.length === 0
          ? []
          : unansweredServices(reading, { types, procedures, isPlanAnswered: status !== null }),
      summary: summariseBenefits(reading, types, procedures),
      ...found?.whole,
    };
  });
}

type FoundBy = Pick<StoredBenefits, 'attempt' | 'reference'>;

/** What the rows of a coverage mean, whichever channel they came over. */
function readRows(rows: StoredCoverage['rows'], foundBy: FoundBy): Benefit[] {
  return rows.flatMap((row) => ('submitted' in row ? [readSubmitted(row, foundBy)] : readKeptRows([row])));
}

/** A benefit of a person or an agent, with every member; what it leaves out was not said. */
function readSubmitted({ row, submitted }: SubmittedRow, { attempt, reference }: FoundBy): Benefit {
  const { service, quantity, period = null, insurance_type: insuranceType } = submitted;
  return {
    benefit_id: `b${row}`,
    kind: submitted.kind,
    service: {
      types: namedBy(service?.types, serviceTypeName),
      procedure: service?.procedure ? procedureOf(service.procedure) : null,
      more_procedures: (service?.more_procedures ?? []).map(procedureOf),
      places: namedBy(service?.places, placeName),
    },
    network: submitted.network ?? null,
    level: submitted.level ?? null,
    amount: amountOf(submitted.amount ?? null),
    percent: decimalOf(submitted.percent ?? null),
    quantity: quantity
      ? { value: decimalOf(quantity.value) ?? quantity.value, unit: quantity.unit ?? null }
      : null,
    period,
    // One implies the other; without this a total would be read from it.
    remaining: submitted.remaining === true || period === 'remaining',
    authorization: submitted.authorization ?? null,
    frequency: (submitted.frequency ?? []).map((often) => ({
      count: decimalOf(often.count ?? null),
      unit: often.unit ?? null,
      rate: often.rate
        ? { count: decimalOf(often.rate.count) ?? often.rate.count, per: often.rate.per }
        : null,
      every: decimalOf(often.every ?? null),
      every_unit: often.every_unit ?? null,
      period: often.period ?? null,
      period_count: decimalOf(often.period_count ?? null),
      pattern: often.pattern ?? null,
      pattern_time: often.pattern_time ?? null,
    })),
    insurance_type: insuranceType ? { code: insuranceType.code ?? '', slug: insuranceType.slug } : null,
    plan: submitted.plan ?? null,
    dates: (submitted.dates ?? []).map(({ kind, start = null, end = null }) => ({ kind, start, end })),
    related: (submitted.related ?? []).map(
      ({ role, name = null, id = null, phone = null, address = null }) => ({
        role,
        name,
        id,
        phone,
        address,
      }),
    ),
    references: (submitted.references ?? []).map(({ kind, value, description = null }) => ({
      kind,
      value,
      description,
    })),
    texts: submitted.texts ?? [],
    source: { kind: 'verifier', attempt, quote: submitted.quote ?? null, reference },
  };
}

type SubmittedService = NonNullable<SubmittedBenefit['service']>;

function namedBy(codes: SubmittedService['types'], nameOf: (code: string) => string | null): NamedCode[] {
  return (codes ?? []).map(({ code, name = null }) => ({ code, name: nameOf(code) ?? name }));
}

function procedureOf({
  system,
  code,
  last_code,
  modifiers,
}: NonNullable<SubmittedService['procedure']>): BenefitProcedure {
  return { system, code, last_code: last_code ?? null, modifiers: modifiers ?? [] };
}
