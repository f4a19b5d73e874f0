import {
  type CloseReason,
  type ErrorReason,
  FailureReason,
  type VerificationSource,
} from '@insurance-verification/schema';

/** `endpoint_off`: an event was given up unsent. */
type Reason = CloseReason | ErrorReason | 'endpoint_off';

/** Each reason in a few words, as they continue “Could not verify:”. */
const REASONS: Readonly<Record<Reason, string>> = {
  withdrawn: 'withdrawn',
  expired: 'too late to be of use',
  member_not_found: 'member not found',
  member_id_invalid: 'member id not known',
  member_ambiguous: 'more than one member found',
  name_mismatch: 'the name differs',
  dob_mismatch: 'the date of birth differs',
  gender_invalid: 'the gender differs',
  not_in_plan: 'patient not in this plan',
  request_incomplete: 'the request lacks data',
  service_invalid: 'procedure code not accepted',
  service_date_invalid: 'date of service not accepted',
  service_needs_review: 'the payer reviews it first',
  payer_missing: 'no payer was named',
  provider_not_enrolled: 'provider not enrolled',
  provider_data_invalid: 'provider data differs',
  payer_unavailable: 'the payer did not answer',
  payer_throttled: 'the payer’s limit was reached',
  payer_id_invalid: 'payer identifier not accepted',
  payer_response_invalid: 'the payer’s answer was not readable',
  portal_credentials_invalid: 'the portal refused our sign-in',
  portal_two_factor: 'the portal asked for a second factor',
  portal_maintenance: 'the portal was under maintenance',
  patient_data_suppressed: 'the portal hides this patient',
  ivr_failure: 'phone menu not completed',
  payer_refusal: 'the payer refused by phone',
  no_human_in_time: 'the phone was not answered',
  phone_number_incorrect: 'wrong phone number on file',
  attempts_exhausted: 'every channel was tried',
  requires_other_channel: 'another channel is needed',
  webhook_exhausted: 'not accepted in any attempt',
  webhook_gone: 'the receiver is gone',
  webhook_blocked_address: 'the address may not be called',
  endpoint_off: 'the endpoint is off',
};

/** A reason in words; a verifier’s own words stay as they are. */
export const reasonText = (reason: string): string =>
  (REASONS as Readonly<Record<string, string>>)[reason] ?? reason;

/** The options of a filter by reason. */
export const reasonChoices = (reasons: readonly Reason[]) =>
  reasons.map((slug) => [slug, REASONS[slug].replace(/^./, (first) => first.toUpperCase())] as const);

/** The reasons that end a call, the most frequent first, and cannot end the reading of a portal. */
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

/** The reasons that a payer gives in any channel. */
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
