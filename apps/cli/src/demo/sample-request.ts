import type { RequestInfo, RequestModel, ResponseModel } from '@insurance-verification/schema';

/** A request for an invented patient. */
export function sampleRequest(payer: string, callbackUrl: string): RequestInfo {
  return {
    patient_info: { subscriber_id: 'W123456789', dob: '1984-05-17', name: 'Jane Doe' },
    payer_info: { name: payer },
    provider_info: { npi: '1234567893', name: 'Main Street Dental' },
    cpt_code_coverage: ['D0120', 'D1110'],
    callback_url: callbackUrl,
  };
}

/** The output of a verifier who looked her up in the payer's portal. */
export function sampleOutput(request: RequestModel): ResponseModel {
  const { patient_info, payer_info } = request.input;
  return {
    request: { ...request, state: 'complete', error_reason: null },
    insurance_data: [
      {
        person_uuid: 'demo-person-1',
        verification_time: new Date().toISOString(),
        verification_source: 'manual_web_portal',
        notes: 'Two cleanings a year.',
        patient_info,
        plan_info: {
          payer_name: payer_info.name,
          plan_name: 'Gold PPO',
          eligibility_status: 'Active',
          start_date: '2026-01-01',
          end_date: null,
          cpt_code_coverage: ['D0120', 'D1110'],
        },
      },
    ],
  };
}
