import type { AskedMember, HeldReason, ResultMember } from '@insurance-verification/schema';
import { reasonText } from './reason-words.ts';
import { CHANNELS, STATES } from './request-words.ts';

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
  patient_name: 'name',
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

/** What of a result an output may differ in. */
export const CHANGES: Readonly<Record<ResultMember, string>> = {
  state: 'outcome',
  error_reason: 'reason',
  subscriber_id: 'member id at the payer',
  dob: 'date of birth at the payer',
  patient_name: 'patient at the payer',
  address: 'address at the payer',
  payer_name: 'payer that answered',
  eligibility_status: 'eligibility',
  plan_name: 'plan',
  start_date: 'start date',
  end_date: 'end date',
  cpt_code_coverage: 'covered codes',
  notes: 'notes',
  verification_source: 'channel',
  request_id: 'request that it answers',
  person_uuid: 'person id',
};

const CHOICES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  verification_source: CHANNELS,
  state: Object.fromEntries(Object.entries(STATES).map(([state, { word }]) => [state, word])),
};

/** A compared value as a person reads it. @param field as in `ComparedValue` */
export function valueInWords(field: string, text: string): string {
  const member = field.slice(field.lastIndexOf('/') + 1);
  return member === 'error_reason' ? reasonText(text) : (CHOICES[member]?.[text] ?? text);
}
