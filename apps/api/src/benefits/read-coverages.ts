import type {
  Benefit,
  CoverageBenefits,
  InsurancePlanData,
  RequestInfo,
} from '@insurance-verification/schema';
import type { StoredBenefits } from '@insurance-verification/store';
import { askedProcedures, askedServiceTypes } from '@insurance-verification/x12';
import { readRows } from './read-rows.ts';
import { rowsOfPlan, rowsOfProcedure, WHOLE_PLAN } from './speaking-rows.ts';
import { type Asked, summarise } from './summarise.ts';

/** The benefits of each entry of a result. Of a result that came without, each entry has empty lists. */
export function readCoverages(
  insuranceData: readonly InsurancePlanData[],
  stored: StoredBenefits | null,
  input: RequestInfo,
): CoverageBenefits[] {
  const asked = { procedures: askedProcedures(input), types: askedServiceTypes(input) };
  return insuranceData.map(({ plan_info: plan, verification_time: verifiedAt }, entry) => {
    const found = stored?.coverages[entry];
    const serviceDate = stored?.serviceDate ?? verifiedAt.slice(0, 10);
    const benefits = stored && found ? readRows(found.rows, stored) : [];
    return {
      entry,
      plan_name: plan.plan_name ?? null,
      eligibility_status: plan.eligibility_status ?? null,
      group_number: found?.group_number ?? null,
      relationship: found?.relationship ?? null,
      order: found?.order ?? null,
      benefits,
      unanswered: benefits.length === 0 ? [] : unansweredOf(benefits, asked, serviceDate),
      summary: summarise(benefits, asked, serviceDate),
    };
  });
}

/** What the 270 asked for and no row of this coverage names. */
function unansweredOf(
  benefits: readonly Benefit[],
  { procedures, types }: Asked,
  serviceDate: string,
): CoverageBenefits['unanswered'] {
  const named = new Set(benefits.flatMap(({ service }) => service.types.map(({ code }) => code)));
  const isAnswered = (type: string) =>
    named.has(type) || (type === WHOLE_PLAN && rowsOfPlan(benefits, serviceDate).length > 0);
  return [
    ...procedures
      .filter((procedure) => rowsOfProcedure(benefits, procedure, serviceDate).length === 0)
      .flatMap(({ texts }) => texts.map((procedure) => ({ procedure }))),
    ...types.filter((type) => !isAnswered(type)).map((type) => ({ service_type: type })),
  ];
}
