import type { RequestInfo, RequestModel, ResponseModel } from '@insurance-verification/schema';

/** A request of ordinary size. */
export function aRequest(callbackUrl: string): RequestInfo {
  return {
    patient_info: {
      subscriber_id: 'W123456789',
      dob: '1984-05-17',
      name: 'Jane Doe',
      address: '1 Main St, Springfield',
    },
    payer_info: { name: 'Payer Plan 1', phone_number: '+1 800 555 0100' },
    provider_info: {
      npi: '1234567893',
      name: 'Dr. A. Smith',
      tin: '12-3456789',
      organization_name: 'Main Street Dental',
    },
    cpt_code_coverage: ['99213', 'D1110'],
    callback_url: callbackUrl,
  };
}

/** A finished output for a request. */
export function anOutput(request: RequestModel): ResponseModel {
  return {
    request: { ...request, state: 'complete' },
    insurance_data: [
      {
        person_uuid: '6f1c1e9e-6a3e-4a0e-9a54-0d2a3a3b6a10',
        request_id: request.request_id,
        verification_time: '2026-01-15T10:30:00Z',
        verification_source: 'agent_web_portal',
        patient_info: request.input.patient_info,
        plan_info: {
          plan_name: 'PPO Gold',
          eligibility_status: 'Active',
          start_date: '2026-01-01',
          cpt_code_coverage: ['99213'],
        },
      },
    ],
  };
}
