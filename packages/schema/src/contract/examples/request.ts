import type { Schemas } from '../../create-schemas.ts';
import type { RequestInfo, RequestModel } from '../../default-schemas.ts';
import { EXAMPLE_IDS } from './ids.ts';

/** An invented patient's request to the first configured payer, which the documentation shows and sends when tried. */
export function exampleRequest({ Payer }: Schemas): RequestInfo {
  const [name = ''] = Payer.options;
  return {
    patient_info: { subscriber_id: 'W123456789', dob: '1984-05-17', name: 'Jane Doe' },
    payer_info: { name },
    provider_info: { npi: '1234567893', name: 'Main Street Dental' },
    cpt_code_coverage: ['D0120', 'D1110'],
    callback_url: 'https://clinic.example/verified', // a name that never resolves
  };
}

/** The example as stored; pending by default. */
export function exampleRequestModel(schemas: Schemas, changes: Partial<RequestModel> = {}): RequestModel {
  return {
    request_id: EXAMPLE_IDS.request,
    input: exampleRequest(schemas),
    received_timestamp: '2026-11-20T09:30:00.000Z',
    state: 'pending',
    error_reason: null,
    ...changes,
  };
}
