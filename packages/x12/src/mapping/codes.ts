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
  const name = INSURANCE_TYPES.get(code.toUpperCase());
  return name === undefined ? `type ${code}` : `type ${code} (${name})`;
}

/** EB06 (X12 615) behind an amount. */
const PERIODS: ReadonlyMap<string, string> = new Map<string, string>(
  Object.entries({
    6: 'an hour',
    7: 'a day',
    13: 'for 24 hours',
    21: 'for years',
    22: 'a service year',
    23: 'a calendar year',
    25: 'a contract',
    26: 'an episode',
    27: 'a visit',
    30: 'above a limit',
    31: 'up to a limit',
    32: 'in a lifetime',
    33: 'left of a lifetime',
    34: 'a month',
    35: 'a week',
    36: 'an admission',
  } as const),
);

/** ` a visit`, with the blank before it; empty for none, and for a code that is not known. */
export function periodName(code: string | null): string {
  const name = code === null ? undefined : PERIODS.get(code);
  return name === undefined ? '' : ` ${name}`;
}

/** EB06 of what is left. */
export const REMAINING = '29';

/** EB06 of what was counted of it so far: neither the whole nor what is left. */
export const SO_FAR = '24';
