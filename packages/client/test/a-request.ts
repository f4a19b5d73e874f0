import type { RequestInfo } from '@insurance-verification/schema';

/** A valid body of Create Request. */
export function aRequest(changes: Partial<RequestInfo> = {}): RequestInfo {
  return {
    patient_info: { subscriber_id: 'W123456789', name: 'Jane Doe' },
    payer_info: { name: 'Payer Plan 1' },
    provider_info: { npi: '1234567893', name: 'Dr. Roe' },
    callback_url: 'https://clinic.example/verified',
    ...changes,
  };
}
