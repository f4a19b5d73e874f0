import type { ErrorReason } from '@insurance-verification/schema';

/** Our slug for each AAA03 of a 271 (005010X279A1). 35 is missing: out of network is a result. */
const REASONS: readonly (readonly [ErrorReason, string])[] = [
  ['payer_unavailable', '42 80'],
  ['payer_id_invalid', '79'],
  ['provider_not_enrolled', '41 50 51'],
  ['provider_data_invalid', '43 44 45 46 47 48 49 97'],
  ['payer_throttled', '04'],
  ['payer_missing', 'T4'],
  ['request_incomplete', '15 33'],
  ['service_invalid', '52 53 54 55'],
  ['service_date_invalid', '56 57 60 61 62 63'],
  ['dob_mismatch', '58 71'],
  ['member_id_invalid', '64 72'],
  ['name_mismatch', '65 73'],
  ['gender_invalid', '66 74'],
  ['member_not_found', '67 75 77'],
  ['member_ambiguous', '68 76'],
  ['not_in_plan', '78'],
  ['service_needs_review', '69 70 98 AA AE AF AG AO CI E8 IA MA'],
];

const REASON_BY_CODE = new Map(
  REASONS.flatMap(([reason, codes]) => codes.split(' ').map((code) => [code, reason] as const)),
);

/** AAA03 for "out of network": a result, not a failure. */
export const OUT_OF_NETWORK = '35';

/** The slug of an AAA03. `4` is read as `04`; a code outside the table makes the answer unreadable. */
export function reasonOfRejection(code: string): ErrorReason {
  const padded = code.length === 1 ? `0${code}` : code;
  return REASON_BY_CODE.get(padded) ?? 'payer_response_invalid';
}
