import type { AskedMember, HeldReason } from '@insurance-verification/schema';

interface HeldWords {
  readonly word: string;
  readonly sentence: string;
}

export const HELD: Readonly<Record<HeldReason, HeldWords>> = {
  untrusted: { word: 'Sender not trusted', sentence: 'It came without a verifier’s key.' },
  unmatched: { word: 'No request', sentence: 'It names no request that the service has.' },
  input_mismatch: {
    word: 'Another patient?',
    sentence: 'What it says was asked differs from what was asked.',
  },
  superseding: {
    word: 'A different result',
    sentence: 'The request has a result already, and this one differs.',
  },
  agent_result: {
    word: 'Found by an agent',
    sentence: 'An agent found it, and the route of its payer has a person look first.',
  },
};

/** What of a request an output may differ in. */
export const MEMBERS: Readonly<Record<AskedMember, string>> = {
  subscriber_id: 'member id',
  dob: 'date of birth',
  name: 'name',
  address: 'address',
  'payer_info.name': 'payer',
  'payer_info.phone_number': 'payer’s phone',
  'provider_info.npi': 'NPI',
  'provider_info.name': 'provider',
  'provider_info.tin': 'TIN',
  'provider_info.organization_name': 'organization',
  cpt_code_coverage: 'codes',
  callback_url: 'callback address',
};
