import type { CoverageBenefits } from '@insurance-verification/schema';
import type { ReadHeldOutput } from '@insurance-verification/store';
import { readCoverages } from '../benefits/read-benefits.ts';

/** A held output with the benefits that were submitted with it, in the API's form. */
export function withBenefits({
  held,
  benefits,
}: ReadHeldOutput): ReadHeldOutput['held'] & { benefits?: CoverageBenefits[] } {
  if (!benefits) return held;
  const { request, insurance_data: insuranceData } = held.output;
  return { ...held, benefits: readCoverages(insuranceData, benefits, request.input) };
}
