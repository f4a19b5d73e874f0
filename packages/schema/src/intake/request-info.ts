import * as z from 'zod';
import { httpUrl } from '../field/http-url.ts';
import { list } from '../field/list.ts';
import { model } from '../model.ts';
import { birthDateReadings } from '../patient/birth-date-readings.ts';
import type { PayerNames } from '../payers.ts';
import { SANDBOX_MEMBER_IDS } from '../verification/sandbox-members.ts';

/** The payer enumeration over the given names. */
export function createPayer<const P extends PayerNames>(payers: P) {
  return z
    .enum(payers)
    .meta({ id: 'Payer', description: 'The payer plan, one of exactly four configured names.' });
}

/** The patient as the requester knows them. All plain strings: the spec declares no formats. */
export const PatientInfo = model('PatientInfo', 'The patient whose eligibility is verified.', {
  subscriber_id: z
    .string()
    .meta({ description: "The subscriber's member id with the payer, as on the card." }),
  dob: z
    .string()
    .optional()
    .meta({ description: 'Date of birth, free text; YYYY-MM-DD is best understood. Not null.' }),
  name: z.string().nullable().optional().meta({ description: 'Full name; null when unknown.' }),
  address: z.string().nullable().optional().meta({ description: 'Postal address; null when unknown.' }),
});
export type PatientInfo = z.infer<typeof PatientInfo>;

/** The payer to ask. */
export function createPayerInfo<P extends PayerNames>(payer: ReturnType<typeof createPayer<P>>) {
  return model('PayerInfo', 'The payer that is asked.', {
    name: payer.meta({ description: 'The payer plan to verify with.' }),
    phone_number: z.string().nullable().optional().meta({
      description:
        "The payer's phone number, free text. Verifiers see it as not checked and call the configured one.",
    }),
  });
}

/** The provider on whose behalf the payer is asked. All plain strings: the spec declares no formats. */
export const ProviderInfo = model('ProviderInfo', 'The provider on whose behalf the payer is asked.', {
  npi: z
    .string()
    .meta({ description: 'National Provider Identifier; normally 10 digits, not checked here.' }),
  name: z.string().meta({ description: 'Name of the provider.' }),
  tin: z
    .string()
    .nullable()
    .optional()
    .meta({ description: 'Taxpayer identification number; null when unknown.' }),
  organization_name: z.string().nullable().optional().meta({
    description: 'Name of the organisation the provider belongs to; null without one.',
  }),
});
export type ProviderInfo = z.infer<typeof ProviderInfo>;

/** What a client asks for: the body of Create Request. */
export function createRequestInfo<P extends PayerNames>(payerInfo: ReturnType<typeof createPayerInfo<P>>) {
  return model('RequestInfo', 'What a client asks for: the body of Create Request.', {
    patient_info: PatientInfo.meta({ description: 'The patient whose eligibility is verified.' }),
    payer_info: payerInfo.meta({ description: 'The payer that is asked.' }),
    provider_info: ProviderInfo.meta({ description: 'The provider on whose behalf the payer is asked.' }),
    cpt_code_coverage: list(z.string()).nullable().optional().meta({
      description: 'Procedure codes to check coverage for; null or absent asks for none.',
    }),
    callback_url: httpUrl().meta({
      description:
        'The http or https address that the signed result is posted to, as [the page of webhooks](/docs/webhooks) describes; 1 to 2083 characters. Kept as it came where it is a URI (RFC 3986); else what browsers make of it.',
    }),
  });
}

/** The part of a request that can be doubted. */
interface DoubtedRequest {
  readonly patient_info: { readonly subscriber_id: string; readonly dob?: string | null | undefined };
  readonly provider_info: { readonly npi: string };
}

/**
 * The members of a request that cannot be right, or be read in two ways, as paths: an NPI without ten digits or with another check digit (45 CFR
 * 162.406), a birth date that is no day of the last 130 years, or may be two (`05/06/1984`), a `TEST-…` member id that the sandbox does not know. The
 * contract accepts them; a test account gets their names.
 * @param today `YYYY-MM-DD`.
 */
export function doubtfulMembers({ patient_info, provider_info }: DoubtedRequest, today: string): string[] {
  const { subscriber_id: memberId, dob } = patient_info;
  return [
    ...(isTestId(memberId) && !Object.hasOwn(SANDBOX_MEMBER_IDS, memberId.toUpperCase())
      ? ['patient_info.subscriber_id']
      : []),
    ...(dob?.trim() && !isBirthDate(dob, today) ? ['patient_info.dob'] : []),
    ...(isNpi(provider_info.npi) ? [] : ['provider_info.npi']),
  ];
}

function isTestId(memberId: string): boolean {
  return /^TEST-/i.test(memberId);
}

/** A century more than a life. */
const AGE_MAX = 130;

/** One day, or month or year. `05/06/1984` may be two; a two-digit year is never a year to come. */
function isBirthDate(text: string, today: string): boolean {
  const oldest = `${Number(today.slice(0, 4)) - AGE_MAX}${today.slice(4)}`;
  const readings = birthDateReadings(text).filter((reading) => reading >= oldest && reading <= today);
  return readings.length === 1;
}

/** The Luhn sum over the digits after `80840`, which adds 24. */
function isNpi(text: string): boolean {
  const digits = text.replaceAll(/\s/g, '');
  if (!/^\d{10}$/.test(digits)) return false;
  let sum = 24;
  for (const [index, digit] of digits.split('').entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
