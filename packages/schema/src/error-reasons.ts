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

/** Every slug of `error_reason` and what to do about it. */
export const ERROR_REASONS: Readonly<Record<ErrorReason, ErrorReasonFact>> = {
  // The X12 271 AAA03 (005010X279A1) codes of the first four groups are in packages/x12, rejection-reasons.ts.
  member_not_found: {
    fixedBy: 'patient_data',
    retryable: false,
    nextChannelMayHelp: true,
    sentence: 'The payer found no member with this data.',
  },
  member_id_invalid: {
    fixedBy: 'patient_data',
    retryable: false,
    nextChannelMayHelp: true,
    sentence: 'The payer does not know this member id.',
  },
  member_ambiguous: {
    fixedBy: 'patient_data',
    retryable: false,
    nextChannelMayHelp: true,
    sentence: 'The payer found more than one member with this data; add date of birth and address.',
  },
  name_mismatch: {
    fixedBy: 'patient_data',
    retryable: false,
    nextChannelMayHelp: true,
    sentence: "The patient's name differs from the payer's record.",
  },
  dob_mismatch: {
    fixedBy: 'patient_data',
    retryable: false,
    nextChannelMayHelp: true,
    sentence: "The patient's date of birth is missing or differs from the payer's record.",
  },
  gender_invalid: {
    fixedBy: 'patient_data',
    retryable: false,
    nextChannelMayHelp: true,
    sentence: "The patient's gender is missing or differs from the payer's record.",
  },
  not_in_plan: {
    fixedBy: 'patient_data',
    retryable: false,
    nextChannelMayHelp: true,
    sentence: 'The payer knows the subscriber, but not this patient under the plan.',
  },
  request_incomplete: {
    fixedBy: 'provider',
    retryable: false,
    nextChannelMayHelp: true,
    sentence: 'The request lacks data that the payer requires.',
  },
  service_invalid: {
    fixedBy: 'provider',
    retryable: false,
    nextChannelMayHelp: true,
    sentence: 'The payer does not accept a procedure code of the request.',
  },
  service_date_invalid: {
    fixedBy: 'us',
    retryable: false,
    nextChannelMayHelp: true,
    sentence: 'The payer does not accept the date of service that was asked for.',
  },
  service_needs_review: {
    fixedBy: 'payer',
    retryable: false,
    nextChannelMayHelp: true,
    sentence: 'The payer answers this request only after its own review.',
  },
  payer_missing: {
    fixedBy: 'us',
    retryable: false,
    nextChannelMayHelp: true,
    sentence: 'The request reached the payer without saying which payer was meant.',
  },
  provider_not_enrolled: {
    fixedBy: 'provider',
    retryable: false,
    nextChannelMayHelp: true,
    sentence: 'The provider is not enrolled with the payer for eligibility requests.',
  },
  provider_data_invalid: {
    fixedBy: 'provider',
    retryable: false,
    nextChannelMayHelp: true,
    sentence: "The provider's NPI, name or TIN differs from the payer's record.",
  },
  payer_unavailable: {
    fixedBy: 'payer',
    retryable: true,
    nextChannelMayHelp: true,
    sentence: 'The payer did not answer, or could not at the time.',
  },
  payer_throttled: {
    fixedBy: 'us',
    retryable: true,
    nextChannelMayHelp: true,
    sentence: "The payer's limit on requests was reached.",
  },
  payer_id_invalid: {
    fixedBy: 'us',
    retryable: false,
    nextChannelMayHelp: true,
    sentence: 'The identifier this service uses for the payer is not accepted.',
  },
  payer_response_invalid: {
    fixedBy: 'payer',
    retryable: true,
    nextChannelMayHelp: true,
    sentence: 'The payer sent an answer that could not be understood.',
  },
  portal_credentials_invalid: {
    fixedBy: 'us',
    retryable: false,
    nextChannelMayHelp: true,
    sentence: "The payer's portal refused this service's credentials.",
  },
  portal_two_factor: {
    fixedBy: 'us',
    retryable: false,
    nextChannelMayHelp: true,
    sentence: "The payer's portal asked for a second factor that was not at hand.",
  },
  portal_maintenance: {
    fixedBy: 'payer',
    retryable: true,
    nextChannelMayHelp: true,
    sentence: "The payer's portal was under maintenance.",
  },
  patient_data_suppressed: {
    fixedBy: 'payer',
    retryable: false,
    nextChannelMayHelp: true,
    sentence: "The payer's portal does not show this patient's data.",
  },
  ivr_failure: {
    fixedBy: 'payer',
    retryable: true,
    nextChannelMayHelp: true,
    sentence: "The payer's telephone menu could not be completed.",
  },
  payer_refusal: {
    fixedBy: 'payer',
    retryable: false,
    nextChannelMayHelp: true,
    sentence: 'The payer refused to give the information by phone.',
  },
  no_human_in_time: {
    fixedBy: 'payer',
    retryable: true,
    nextChannelMayHelp: true,
    sentence: 'Nobody at the payer answered the phone in time.',
  },
  phone_number_incorrect: {
    fixedBy: 'us',
    retryable: false,
    nextChannelMayHelp: true,
    sentence: 'The phone number on file does not reach the payer.',
  },
  attempts_exhausted: {
    fixedBy: 'us',
    retryable: true,
    nextChannelMayHelp: false,
    sentence: 'Every channel to the payer was tried, and none could verify it.',
  },
  requires_other_channel: {
    fixedBy: 'us',
    retryable: false,
    nextChannelMayHelp: true,
    sentence: 'The payer answers this only through another channel.',
  },
  webhook_exhausted: {
    fixedBy: 'provider',
    retryable: true,
    nextChannelMayHelp: false,
    sentence: 'The callback address did not accept the result in any attempt.',
  },
  webhook_gone: {
    fixedBy: 'provider',
    retryable: false,
    nextChannelMayHelp: false,
    sentence: 'The callback address answered 410 Gone, so no more attempts are made.',
  },
  webhook_blocked_address: {
    fixedBy: 'provider',
    retryable: false,
    nextChannelMayHelp: false,
    sentence: 'The callback address leads to a network that may not be called.',
  },
};
