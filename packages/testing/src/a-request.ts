import type { RequestInfo } from '@insurance-verification/schema';

/** A valid Create Request body with every field; its callback address has no listener. */
export function aRequest(changes: Partial<RequestInfo> = {}): RequestInfo {
  return {
    patient_info: aPatient(),
    payer_info: { name: 'Payer Plan 1', phone_number: '+1 555 0100' },
    provider_info: {
      npi: '1234567893',
      name: 'Dr. Roe',
      tin: '12-3456789',
      organization_name: 'Main Street Dental',
    },
    cpt_code_coverage: ['D0120', '99213'],
    callback_url: 'http://127.0.0.1:9/verified',
    ...changes,
  };
}

/** The patient of {@link aRequest}. */
export function aPatient(changes: Partial<RequestInfo['patient_info']> = {}): RequestInfo['patient_info'] {
  return {
    subscriber_id: 'W123456789',
    dob: '1984-05-17',
    name: 'Jane Doe',
    address: '1 Main Street',
    ...changes,
  };
}
