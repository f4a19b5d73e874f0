import type { RequestModel } from '@insurance-verification/schema';
import { fields } from '../terminal/table.ts';

/** A request for a person, one field per line. @param said what was said beside the body. */
export function requestFields(
  { request_id, state, error_reason, received_timestamp, input }: RequestModel,
  said: (readonly [name: string, value: string])[] = [],
): string[] {
  const { patient_info: patient, payer_info: payer, provider_info: provider } = input;
  return fields([
    ['request_id', request_id],
    ['state', state],
    ['error_reason', error_reason],
    ['received', received_timestamp],
    ['payer', payer.name],
    ['subscriber_id', patient.subscriber_id],
    ['dob', patient.dob],
    ['patient', patient.name],
    ['npi', provider.npi],
    ['provider', provider.name],
    ['cpt_codes', input.cpt_code_coverage?.join(' ')],
    ['callback_url', withoutPassword(input.callback_url)],
    ...said,
  ]);
}

/** A callback address may contain the receiver's password. */
function withoutPassword(address: string): string {
  return address.replace(/^([^:]+:\/\/)[^/?#]*@/, '$1…@');
}
