import {
  type Benefit,
  BenefitReading,
  type CoverageBenefits,
  type InsurancePlanData,
  onlyPlanName,
  type RequestInfo,
  summariseBenefits,
} from '@insurance-verification/schema';
import type { StoredBenefits } from '@insurance-verification/store';
import { type AskedProcedure, askedProcedures, askedServiceTypes } from '@insurance-verification/x12';
import { readRows } from './read-rows.ts';

/** The service type of the whole plan (EB03). */
const WHOLE_PLAN = '30';

/** The benefits of each entry of a result. Of a result that came without, each entry has empty lists. */
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
          : unansweredOf({ isPlanAnswered: status !== null, benefits, reading, types, procedures }),
      summary: summariseBenefits(reading, types, procedures),
    };
  });
}

interface Answered {
  /** Whether the entry has a status: a person says the plan's status there, and not in a row. */
  readonly isPlanAnswered: boolean;
  readonly benefits: readonly Benefit[];
  readonly reading: BenefitReading;
  readonly types: readonly string[];
  readonly procedures: readonly AskedProcedure[];
}

/** What the 270 asked for and no row of this coverage names. */
function unansweredOf({
  isPlanAnswered,
  benefits,
  reading,
  types,
  procedures,
}: Answered): CoverageBenefits['unanswered'] {
  const named = new Set(benefits.flatMap(({ service }) => service.types.map(({ code }) => code)));
  const isAnswered = (type: string) =>
    named.has(type) || (type === WHOLE_PLAN && (isPlanAnswered || reading.isPlanAnswered()));
  return [
    ...procedures
      .filter((procedure) => !reading.isProcedureAnswered(procedure))
      .flatMap(({ texts }) => texts.map((procedure) => ({ procedure }))),
    ...types.filter((type) => !isAnswered(type)).map((type) => ({ service_type: type })),
  ];
}
