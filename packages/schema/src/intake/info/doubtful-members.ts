import { birthDateReadings } from '../../patient/birth-date-readings.ts';
import { SANDBOX_MEMBER_IDS } from '../../verification/sandbox-members.ts';

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
