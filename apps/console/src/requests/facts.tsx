import type { Outputs } from '../api/api.ts';
import { FactList } from '../look/fact-list.tsx';

/** What was asked, as it was posted. */
export function Facts({ input }: { readonly input: Outputs['requests']['get']['input'] }) {
  const {
    patient_info: patient,
    payer_info: payer,
    provider_info: provider,
    cpt_code_coverage: codes,
  } = input;
  return (
    <FactList
      facts={[
        ['Patient', patient.name],
        ['Born', patient.dob],
        ['Member id', patient.subscriber_id],
        ['Address', patient.address],
        ['Payer', payer.name],
        ['Payer’s phone', payer.phone_number],
        ['Provider', provider.name],
        ['NPI', provider.npi],
        ['TIN', provider.tin],
        ['Organization', provider.organization_name],
        ['Codes', codes?.join(', ')],
        ['Goes to', input.callback_url],
      ]}
    />
  );
}
