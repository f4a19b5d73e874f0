import * as z from 'zod';
import { dateTime, date } from '../field/date.ts';
import { list } from '../field/list.ts';
import { type createPayer, PatientInfo } from '../intake/request-info.ts';
import { enumeration, model } from '../model.ts';
import type { PayerNames } from '../payers.ts';

/** Whether a plan covers the patient. Where it is nullable, null means that the payer did not say. */
export const EligibilityStatus = enumeration('EligibilityStatus', 'Whether the plan covers the patient.', [
  'Active',
  'Inactive',
]);
export type EligibilityStatus = z.infer<typeof EligibilityStatus>;

/** How a verification was obtained: by a person or an agent, by portal or phone, or by an API. */
export const VerificationSource = enumeration('VerificationSource', 'How a verification was obtained.', [
  'manual_web_portal',
  'manual_phone_call',
  'agent_web_portal',
  'agent_phone_call',
  'api',
]);
export type VerificationSource = z.infer<typeof VerificationSource>;

/** One insurance plan as the payer described it. No field is required. */
export function createPlanInfo<P extends PayerNames>(payer: ReturnType<typeof createPayer<P>>) {
  return model('PlanInfo', 'One insurance plan as the payer described it.', {
    payer_name: payer.optional().meta({ description: 'The payer plan that answered. Not null.' }),
    plan_name: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Name of the plan; null if not reported.' }),
    eligibility_status: EligibilityStatus.nullable().optional().meta({
      description: 'Whether the plan covers the patient; null when the payer did not say.',
    }),
    start_date: date()
      .nullable()
      .optional()
      .meta({ description: 'First day of coverage; null if not reported.' }),
    end_date: date()
      .nullable()
      .optional()
      .meta({ description: 'Last day of coverage; null if open or not reported.' }),
    cpt_code_coverage: list(z.string()).nullable().optional().meta({
      description: 'The procedure codes positively covered; a code the payer did not answer for is left out.',
    }),
  });
}

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
