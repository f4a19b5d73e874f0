import * as z from 'zod';
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
  return model('SubmitWork', 'Hands in what was found out.', {
    lease_token: leaseToken(),
    insurance_data: list(insurancePlanData).meta({
      description: 'Every coverage that was found. Their verification_source is the leased channel.',
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
      .meta({ description: 'Where fields were read, as far as the verifier can tell.' }),
  });
}

/** The result was accepted and is on its way. */
export const SubmittedWork = model('SubmittedWork', 'The result was accepted and is on its way.', {
  status: z.literal('applied').meta({ description: 'Always `applied`.' }),
  version: wholeNumber().meta({ description: 'The version of the result, from 1.' }),
});
/** {@link SubmittedWork} as a type. */
export type SubmittedWork = z.infer<typeof SubmittedWork>;
