import * as z from 'zod';
import { dateTime } from '../field/date/date-time.ts';
import { PatientInfo } from '../intake/info/patient-info.ts';
import { model } from '../model.ts';
import type { PayerNames } from '../payers.ts';
import type { createPlanInfo } from './plan-info.ts';
import { VerificationSource } from './verification-source.ts';

/** One coverage a verification found. A payer may answer several. */
export function createInsurancePlanData<P extends PayerNames>(
  planInfo: ReturnType<typeof createPlanInfo<P>>,
) {
  return model('InsurancePlanData', 'One coverage a verification found.', {
    uuid: z
      .string()
      .nullable()
      .optional()
      .meta({ description: "The verifier's id of this entry; null when it has none." }),
    person_uuid: z.string().meta({ description: "The verifier's id of the person." }),
    request_id: z.string().nullable().optional().meta({
      description:
        'The request this entry answers; null if not reported. Naming another request than the output is a mismatch.',
    }),
    verification_time: dateTime().meta({ description: 'When the payer gave the answer.' }),
    verification_source: VerificationSource.meta({ description: 'How the answer was obtained.' }),
    notes: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Other statements of the payer, as free text; null without any.' }),
    patient_info: PatientInfo.meta({ description: 'The patient as the payer holds them.' }),
    plan_info: planInfo.meta({ description: 'The plan that was found.' }),
  });
}
