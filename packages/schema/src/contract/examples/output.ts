import type { Schemas } from '../../create-schemas.ts';
import type { InsurancePlanData, ResponseModel } from '../../default-schemas.ts';
import { exampleRequest, exampleRequestModel } from './request.ts';

/** What a verifier found for the example's request and its provider receives. */
export function exampleOutput(schemas: Schemas): ResponseModel {
  return {
    request: exampleRequestModel(schemas, { state: 'complete' }),
    insurance_data: [examplePlanData(schemas)],
  };
}

/** The one plan of the example's patient. */
export function examplePlanData(schemas: Schemas): InsurancePlanData {
  const input = exampleRequest(schemas);
  return {
    person_uuid: 'person-1',
    verification_time: '2026-11-20T10:15:00Z',
    verification_source: 'manual_phone_call',
    notes: 'Two cleanings a year.',
    patient_info: input.patient_info,
    plan_info: {
      payer_name: input.payer_info.name,
      plan_name: 'PPO Gold',
      eligibility_status: 'Active',
      start_date: '2026-01-01',
      end_date: null,
      cpt_code_coverage: ['D0120', 'D1110'],
    },
  };
}
