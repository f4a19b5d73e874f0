import type { RequestBenefits } from '../benefits/request-benefits.ts';
import type { BatchResult } from '../default-schemas.ts';

type Cell = string | number | null | undefined;

/**
 * The columns of results as a table, by their names: the coverage that decides the outcome, and what a front desk asks
 * for first. A cell that is null or undefined is empty.
 */
export const BATCH_RESULT_COLUMNS: Readonly<Record<string, (result: BatchResult) => Cell>> = {
  row: ({ row }) => row,
  reference: ({ reference }) => reference,
  request_id: ({ request_id: requestId }) => requestId,
  outcome: ({ outcome }) => outcome,
  error: ({ error }) => error,
  payer_name: (result) => coverageOf(result)?.plan_info.payer_name,
  plan_name: (result) => coverageOf(result)?.plan_info.plan_name,
  eligibility_status: (result) => coverageOf(result)?.plan_info.eligibility_status,
  start_date: (result) => coverageOf(result)?.plan_info.start_date,
  end_date: (result) => coverageOf(result)?.plan_info.end_date,
  covered_codes: (result) => coverageOf(result)?.plan_info.cpt_code_coverage?.join(' '),
  verification_time: (result) => coverageOf(result)?.verification_time,
  verification_source: (result) => coverageOf(result)?.verification_source,
  copayment: (result) => valueOf(planOf(result)?.copayment),
  coinsurance: (result) => valueOf(planOf(result)?.coinsurance),
  deductible: (result) => valueOf(planOf(result)?.deductible.individual.total),
  deductible_remaining: (result) => valueOf(planOf(result)?.deductible.individual.remaining),
  out_of_pocket: (result) => valueOf(planOf(result)?.out_of_pocket.individual.total),
  out_of_pocket_remaining: (result) => valueOf(planOf(result)?.out_of_pocket.individual.remaining),
};

/** The place of the coverage that decides the outcome. */
function placeOf({ outcome, result }: BatchResult): number {
  const status = outcome === 'active' ? 'Active' : outcome === 'inactive' ? 'Inactive' : undefined;
  const place = result?.findIndex(({ plan_info: plan }) => plan.eligibility_status === status) ?? -1;
  return Math.max(place, 0);
}

const coverageOf = (result: BatchResult) => result.result?.[placeOf(result)];

const planOf = (result: BatchResult) => result.benefits?.coverages[placeOf(result)]?.summary.plan.in_network;

type Reading = RequestBenefits['coverages'][number]['summary']['plan']['in_network']['copayment'];

const valueOf = (reading: Reading | undefined) => (reading && 'value' in reading ? reading.value : undefined);
