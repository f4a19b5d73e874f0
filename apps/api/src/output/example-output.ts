import type { ResponseModel, Schemas } from '@insurance-verification/schema';
import { exampleRequest } from '../intake/example-request.ts';

/** What a verifier found for the example's request, and its provider is sent. */
export function exampleOutput(schemas: Schemas): ResponseModel {
  const input = exampleRequest(schemas);
  return {
    request: {
      request_id: 'req_01jdabcdefghjkmnpqrstvwxyz',
      input,
      received_timestamp: '2026-11-20T09:30:00.000Z',
      state: 'complete',
      error_reason: null,
    },
    insurance_data: [
      {
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
      },
    ],
  };
}
