import * as z from 'zod';
import { SubmittedCoverage } from '../../benefits/submitted-benefits.ts';
import { list } from '../../field/list.ts';
import { wholeNumber } from '../../field/whole-number.ts';
import { model } from '../../model.ts';
import type { PayerNames } from '../../payers.ts';
import { FieldProvenance } from '../evidence/field-provenance.ts';
import type { createInsurancePlanData } from '../insurance-plan-data.ts';
import { leaseToken } from './lease-token.ts';

/** Submits a verification's findings (`work.submit`). */
export function createSubmitWork<P extends PayerNames>(
  insurancePlanData: ReturnType<typeof createInsurancePlanData<P>>,
) {
  return model('SubmitWork', 'Submits a result.', {
    lease_token: leaseToken(),
    insurance_data: list(insurancePlanData).meta({
      description: 'Every coverage that was found. Their verification_source is the leased channel.',
    }),
    benefits: list<z.ZodType<SubmittedCoverage, SubmittedCoverage>>(SubmittedCoverage).optional().meta({
      description:
        'The payer’s other statements about these coverages, for `requests.benefits`. 500 benefits in all at most.',
    }),
    note: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'For colleagues; never shown to the provider.' }),
    reference: z
      .string()
      .nullable()
      .optional()
      .meta({ description: "The payer's reference number for the call or inquiry." }),
    same_patient_confirmed: z.boolean().optional().meta({
      description:
        'True: the verifier has made sure that it is the patient of the request, where `patient_unconfirmed` was answered. Kept with the attempt. It does not admit another patient.',
    }),
    provenance: list(FieldProvenance)
      .optional()
      .meta({ description: 'Where fields were read, as far as the verifier knows.' }),
  });
}

/** What became of a verifier's findings. */
export const SubmittedWork = model('SubmittedWork', 'What became of the findings.', {
  status: z.enum(['applied', 'held']).meta({
    description:
      "applied: the result is on its way. held: an agent found it, and the payer's route has a person look first.",
  }),
  version: wholeNumber()
    .optional()
    .meta({ description: 'The version of the result, from 1; present when applied.' }),
  held_id: z.string().optional().meta({ description: 'The id of the held output; present when held.' }),
});
export type SubmittedWork = z.infer<typeof SubmittedWork>;
