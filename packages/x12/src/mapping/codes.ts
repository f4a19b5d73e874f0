import type { BenefitPeriod } from '@insurance-verification/schema';

/** Codes of the EB segment in our own words. What is not listed is named by its code. */

/** EB04 (X12 1336). */
const INSURANCE_TYPES: ReadonlyMap<string, string> = new Map<string, string>(
  Object.entries({
    12: 'Medicare second, by work at 65 and over',
    13: 'Medicare second, kidney disease',
    14: 'Medicare second, no-fault',
    15: "Medicare second, workers' compensation",
    16: 'Medicare second, public health service',
    41: 'Medicare second, black lung',
    42: 'Medicare second, veterans',
    43: 'Medicare second, disabled under 65',
    47: 'Medicare second, other liability',
    AP: 'automobile',
    C1: 'commercial',
    CO: 'COBRA',
    D: 'disability',
    DB: 'disability benefits',
    EP: 'exclusive provider organization',
    GP: 'group policy',
    HM: 'HMO',
    HN: 'Medicare Advantage HMO',
    HS: 'special low income Medicare',
    IN: 'indemnity',
    IP: 'individual policy',
    LC: 'long-term care',
    LT: 'litigation',
    MA: 'Medicare part A',
    MB: 'Medicare part B',
    MC: 'Medicaid',
    MH: 'Medigap part A',
    MI: 'Medigap part B',
    MP: 'Medicare, primary',
    OT: 'other',
    PR: 'PPO',
    PS: 'point of service',
    QM: 'qualified Medicare beneficiary',
    SP: 'supplemental policy',
    TV: 'Title V',
    WC: "workers' compensation",
  } as const),
);

/** `type HM (HMO)`. */
export function insuranceTypeName(code: string): string {
  const name = INSURANCE_TYPES.get(code);
  return name === undefined ? `type ${code}` : `type ${code} (${name})`;
}

/** The time of an amount (EB06), after it in a sentence. */
const PERIODS: Partial<Record<BenefitPeriod, string>> = {
  hour: 'an hour',
  day: 'a day',
  hours_24: 'for 24 hours',
  years: 'for years',
  service_year: 'a service year',
  calendar_year: 'a calendar year',
  contract: 'a contract',
  episode: 'an episode',
  visit: 'a visit',
  lifetime: 'in a lifetime',
  month: 'a month',
  week: 'a week',
  admission: 'an admission',
};

/** ` a visit`, with the blank before it; empty for none. */
export function periodName(period: BenefitPeriod | null): string {
  const name = period === null ? undefined : PERIODS[period];
  return name === undefined ? '' : ` ${name}`;
}
