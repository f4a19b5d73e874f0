import { DEFAULT_PAYERS, type RequestInfo, type RequestModel } from '@insurance-verification/schema';
import type { TestService } from './a-service.ts';

/** A valid body of Create Request with every field; nobody listens at its callback address. */
export function aRequest(changes: Partial<RequestInfo> = {}): RequestInfo {
  return {
    patient_info: {
      subscriber_id: 'W123456789',
      dob: '1984-05-17',
      name: 'Jane Doe',
      address: '1 Main Street',
    },
    payer_info: { name: DEFAULT_PAYERS[0], phone_number: '+1 555 0100' },
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

/** A request that the service has stored. */
export async function aStoredRequest(
  service: TestService,
  changes: Partial<RequestInfo> = {},
  key?: string,
): Promise<RequestModel & { request_id: string }> {
  return service.answer('POST', '/requests/', aRequest(changes), key);
}
