import type { InsurancePlanData } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { aCoverage } from '@insurance-verification/testing/an-output';

/** A coverage of `aRequest`'s patient by default. */
export function anEntry(changes: Partial<InsurancePlanData> = {}): InsurancePlanData {
  return aCoverage({ input: aRequest() }, changes);
}
