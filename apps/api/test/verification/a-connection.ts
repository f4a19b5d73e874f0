import type { RequestInfo } from '@insurance-verification/schema';
import type { PayerConnection } from '../../src/config/payer-connections.ts';

/** A connection to a simulator. */
export function aPayerConnection(url: string, overrides: Partial<PayerConnection> = {}): PayerConnection {
  return {
    payerId: 'plan-1',
    payerName: 'Payer Plan 1',
    x12PayerId: '60054',
    url,
    envelope: 'raw',
    sender: { qualifier: 'ZZ', id: 'IVSERVICE' },
    receiver: { qualifier: 'ZZ', id: 'SIMULATOR' },
    traceOrigin: '9IVSERVICE',
    timeZone: 'America/New_York',
    usage: 'T',
    inFlightCountMax: 10,
    credentials: {},
    ...overrides,
  };
}

export function aRequestFor(memberId: string): RequestInfo {
  return {
    patient_info: { subscriber_id: memberId, dob: '1984-05-17', name: 'Jane Doe' },
    payer_info: { name: 'Payer Plan 1' },
    provider_info: { npi: '1234567893', name: 'Main Street Dental' },
    cpt_code_coverage: ['D0120', 'D1110'],
    callback_url: 'http://127.0.0.1:9/hook',
  };
}
