import { FailureReason, type VerificationSource } from '@insurance-verification/schema';

/** What ends a call, the most frequent first, and cannot end the reading of a portal. */
const OF_PHONE: readonly FailureReason[] = [
  'no_human_in_time',
  'payer_refusal',
  'ivr_failure',
  'phone_number_incorrect',
];

const OF_PORTAL: readonly FailureReason[] = [
  'portal_two_factor',
  'portal_credentials_invalid',
  'portal_maintenance',
  'patient_data_suppressed',
];

/** What a payer may say of the patient and of the provider, in any channel. */
const OF_ALL: readonly FailureReason[] = [
  'member_not_found',
  'member_id_invalid',
  'name_mismatch',
  'dob_mismatch',
  'not_in_plan',
  'member_ambiguous',
  'provider_data_invalid',
  'provider_not_enrolled',
  'request_incomplete',
  'service_invalid',
  'requires_other_channel',
  'payer_unavailable',
];

/** Every reason, those first that fit the channel. */
export function reasonsFor(channel: VerificationSource): readonly FailureReason[] {
  const isCall = channel.endsWith('_phone_call');
  const first = [...(isCall ? OF_PHONE : OF_PORTAL), ...OF_ALL];
  const last = isCall ? OF_PORTAL : OF_PHONE;
  const others = FailureReason.options.filter((slug) => !first.includes(slug) && !last.includes(slug));
  return [...first, ...others, ...last];
}
