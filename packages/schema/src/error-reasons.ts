import type { ErrorReason, FixedBy } from './error-reason.ts';

/** The properties of a slug. */
export interface ErrorReasonFact {
  /** Whether the same request may succeed when posted again later without a change. */
  readonly retryable: boolean;
  /** Who must act first: the party with the patient's data, the provider, the payer, or this service. */
  readonly fixedBy: FixedBy;
  /** Whether another channel (portal, phone, API) to the same payer may succeed where this one failed. */
  readonly nextChannelMayHelp: boolean;
  /** One sentence for the requester's staff. */
  readonly sentence: string;
}

/** What may lead to an answer: the same request posted again later without a change, or another channel. */
type MayHelp = 'again' | 'another_channel';

const reason = (fixedBy: FixedBy, sentence: string, ...mayHelp: MayHelp[]): ErrorReasonFact => ({
  fixedBy,
  retryable: mayHelp.includes('again'),
  nextChannelMayHelp: mayHelp.includes('another_channel'),
  sentence,
});

/** Every slug of `error_reason` and what to do about it. */
export const ERROR_REASONS: Readonly<Record<ErrorReason, ErrorReasonFact>> = {
  // The X12 271 AAA03 (005010X279A1) codes of the first four groups are in packages/x12, rejection-reasons.ts.
  member_not_found: reason('patient_data', 'The payer found no member with this data.', 'another_channel'),
  member_id_invalid: reason('patient_data', 'The payer does not know this member id.', 'another_channel'),
  member_ambiguous: reason(
    'patient_data',
    'The payer found more than one member with this data; add date of birth and address.',
    'another_channel',
  ),
  name_mismatch: reason(
    'patient_data',
    "The patient's name differs from the payer's record.",
    'another_channel',
  ),
  dob_mismatch: reason(
    'patient_data',
    "The patient's date of birth is missing or differs from the payer's record.",
    'another_channel',
  ),
  gender_invalid: reason(
    'patient_data',
    "The patient's gender is missing or differs from the payer's record.",
    'another_channel',
  ),
  not_in_plan: reason(
    'patient_data',
    'The payer knows the subscriber, but not this patient under the plan.',
    'another_channel',
  ),
  request_incomplete: reason(
    'provider',
    'The request lacks data that the payer requires.',
    'another_channel',
  ),
  service_invalid: reason(
    'provider',
    'The payer does not accept a procedure code of the request.',
    'another_channel',
  ),
  service_date_invalid: reason(
    'us',
    'The payer does not accept the date of service that was asked for.',
    'another_channel',
  ),
  service_needs_review: reason(
    'payer',
    'The payer answers this request only after its own review.',
    'another_channel',
  ),
  payer_missing: reason(
    'us',
    'The request reached the payer without saying which payer was meant.',
    'another_channel',
  ),
  provider_not_enrolled: reason(
    'provider',
    'The provider is not enrolled with the payer for eligibility requests.',
    'another_channel',
  ),
  provider_data_invalid: reason(
    'provider',
    "The provider's NPI, name or TIN differs from the payer's record.",
    'another_channel',
  ),
  payer_unavailable: reason(
    'payer',
    'The payer did not answer, or could not at the time.',
    'again',
    'another_channel',
  ),
  payer_throttled: reason('us', "The payer's limit on requests was reached.", 'again', 'another_channel'),
  payer_id_invalid: reason(
    'us',
    'The identifier this service uses for the payer is not accepted.',
    'another_channel',
  ),
  payer_response_invalid: reason(
    'payer',
    'The payer sent an answer that could not be understood.',
    'again',
    'another_channel',
  ),
  portal_credentials_invalid: reason(
    'us',
    "The payer's portal refused this service's credentials.",
    'another_channel',
  ),
  portal_two_factor: reason(
    'us',
    "The payer's portal asked for a second factor that was not at hand.",
    'another_channel',
  ),
  portal_maintenance: reason(
    'payer',
    "The payer's portal was under maintenance.",
    'again',
    'another_channel',
  ),
  patient_data_suppressed: reason(
    'payer',
    "The payer's portal does not show this patient's data.",
    'another_channel',
  ),
  ivr_failure: reason(
    'payer',
    "The payer's telephone menu could not be completed.",
    'again',
    'another_channel',
  ),
  payer_refusal: reason('payer', 'The payer refused to give the information by phone.', 'another_channel'),
  no_human_in_time: reason(
    'payer',
    'Nobody at the payer answered the phone in time.',
    'again',
    'another_channel',
  ),
  phone_number_incorrect: reason(
    'us',
    'The phone number on file does not reach the payer.',
    'another_channel',
  ),
  attempts_exhausted: reason(
    'us',
    'Every channel to the payer was tried, and none could verify it.',
    'again',
  ),
  requires_other_channel: reason(
    'us',
    'The payer answers this only through another channel.',
    'another_channel',
  ),
  webhook_exhausted: reason(
    'provider',
    'The callback address did not accept the result in any attempt.',
    'again',
  ),
  webhook_gone: reason('provider', 'The callback address answered 410 Gone, so no more attempts are made.'),
  webhook_blocked_address: reason(
    'provider',
    'The callback address leads to a network that may not be called.',
  ),
};
