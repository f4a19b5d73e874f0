import type * as z from 'zod';
import { enumeration } from './model.ts';

/** Who must act on an error reason: the party with the patient's data, the provider, the payer, or this service. */
export const FixedBy = enumeration('FixedBy', 'Who has to act on an error reason.', [
  'patient_data',
  'provider',
  'payer',
  'us',
]);
export type FixedBy = z.infer<typeof FixedBy>;

/** Why a verification failed. Append-only: slugs are never renamed or removed. */
export const VERIFICATION_REASON_SLUGS = [
  'member_not_found',
  'member_id_invalid',
  'member_ambiguous',
  'name_mismatch',
  'dob_mismatch',
  'gender_invalid',
  'not_in_plan',
  'request_incomplete',
  'service_invalid',
  'service_date_invalid',
  'service_needs_review',
  'payer_missing',
  'provider_not_enrolled',
  'provider_data_invalid',
  'payer_unavailable',
  'payer_throttled',
  'payer_id_invalid',
  'payer_response_invalid',
  'portal_credentials_invalid',
  'portal_two_factor',
  'portal_maintenance',
  'patient_data_suppressed',
  'ivr_failure',
  'payer_refusal',
  'no_human_in_time',
  'phone_number_incorrect',
  'attempts_exhausted',
  'requires_other_channel',
] as const;

/** Why a result could not be delivered. Only the service itself determines this. */
const DELIVERY_REASON_SLUGS = ['webhook_exhausted', 'webhook_gone', 'webhook_blocked_address'] as const;

/**
 * The slugs that the service itself writes into `error_reason`. The field is a plain string in the API, since a
 * verifier's free text is kept unchanged; check a value with `ErrorReason.safeParse` before trusting it as a slug.
 */
export const ErrorReason = enumeration(
  'ErrorReason',
  'The slugs the service itself writes into error_reason.',
  [...VERIFICATION_REASON_SLUGS, ...DELIVERY_REASON_SLUGS],
);
export type ErrorReason = z.infer<typeof ErrorReason>;
