import type {
  BenefitKind,
  BenefitLevel,
  BenefitNetwork,
  BenefitPeriod,
  BenefitUnit,
  InsuranceType,
  ProcedureSystem,
} from '@insurance-verification/schema';
import type { Benefit } from '../answer/eligibility-answer.ts';

// The codes of a 271 (005010X279A1) by the slugs of the schema. Codes only: X12's words for them are licensed.

type Slugs<Slug> = ReadonlyMap<string, Slug>;

export const slugs = <Slug extends string>(codes: Readonly<Record<string, Slug>>): Slugs<Slug> =>
  new Map(Object.entries(codes));

/** EB01 (X12 1390). */
export const KINDS = slugs<BenefitKind>({
  1: 'active',
  2: 'active_full_risk',
  3: 'active_capitated',
  4: 'active_capitated_to_primary_care',
  5: 'active_pending',
  6: 'inactive',
  7: 'inactive_pending_update',
  8: 'inactive_pending',
  A: 'coinsurance',
  B: 'copayment',
  C: 'deductible',
  CB: 'coverage_basis',
  D: 'described',
  E: 'excluded',
  F: 'limitation',
  G: 'out_of_pocket',
  H: 'unlimited',
  I: 'not_covered',
  J: 'cost_containment',
  K: 'reserve',
  L: 'primary_care_provider',
  M: 'pre_existing_condition',
  MC: 'managed_care_coordinator',
  N: 'restricted_to_provider',
  O: 'not_medically_necessary',
  P: 'disclaimer',
  Q: 'second_opinion',
  R: 'other_payer',
  S: 'earlier_history',
  T: 'card_lost',
  U: 'carve_out',
  V: 'cannot_tell',
  W: 'other_source',
  X: 'facility',
  Y: 'spend_down',
});

/** EB02 (X12 1207). */
const LEVELS = slugs<BenefitLevel>({
  CHD: 'children',
  DEP: 'dependents',
  ECH: 'employee_and_children',
  EMP: 'employee',
  ESP: 'employee_and_spouse',
  FAM: 'family',
  IND: 'individual',
  SPC: 'spouse_and_children',
  SPO: 'spouse',
  TWO: 'two_persons',
});

/** Whose a row is. */
export function levelOf({ coverageLevel }: Pick<Benefit, 'coverageLevel'>): BenefitLevel | null {
  return slugOf(LEVELS, coverageLevel, 'other');
}

/** EB04 (X12 1336). */
export const INSURANCE_TYPES = slugs<InsuranceType>({
  12: 'medicare_secondary_working_aged',
  13: 'medicare_secondary_kidney_disease',
  14: 'medicare_secondary_no_fault',
  15: 'medicare_secondary_workers_compensation',
  16: 'medicare_secondary_public_health',
  41: 'medicare_secondary_black_lung',
  42: 'medicare_secondary_veterans',
  43: 'medicare_secondary_disabled',
  47: 'medicare_secondary_other_liability',
  AP: 'automobile',
  C1: 'commercial',
  CO: 'cobra',
  D: 'disability',
  DB: 'disability_benefits',
  EP: 'epo',
  GP: 'group_policy',
  HM: 'hmo',
  HN: 'medicare_advantage_hmo',
  HS: 'medicare_low_income',
  IN: 'indemnity',
  IP: 'individual_policy',
  LC: 'long_term_care',
  LD: 'long_term_policy',
  LI: 'life',
  LT: 'litigation',
  MA: 'medicare_part_a',
  MB: 'medicare_part_b',
  MC: 'medicaid',
  MH: 'medigap_part_a',
  MI: 'medigap_part_b',
  MP: 'medicare_primary',
  OT: 'other',
  PE: 'property',
  PR: 'ppo',
  PS: 'pos',
  QM: 'qualified_medicare_beneficiary',
  RP: 'property',
  SP: 'supplemental',
  TV: 'title_v',
  WC: 'workers_compensation',
});

/** EB06 and HSD05 (X12 615). 29 and 33 are remaining amounts; 29 does not name their period. */
export const PERIODS = slugs<BenefitPeriod>({
  6: 'hour',
  7: 'day',
  13: 'hours_24',
  21: 'years',
  22: 'service_year',
  23: 'calendar_year',
  24: 'year_to_date',
  25: 'contract',
  26: 'episode',
  27: 'visit',
  28: 'outlier',
  29: 'remaining',
  30: 'exceeded',
  31: 'not_exceeded',
  32: 'lifetime',
  33: 'lifetime',
  34: 'month',
  35: 'week',
  36: 'admission',
});

/** EB09 and HSD01 (X12 673), and HSD03 (X12 355). */
export const UNITS = slugs<BenefitUnit>({
  '8H': 'minimum',
  99: 'used',
  CA: 'covered',
  CE: 'covered_estimated',
  D3: 'coinsurance_days',
  DA: 'days',
  DB: 'deductible_blood_units',
  DY: 'days',
  FL: 'units',
  HS: 'hours',
  LA: 'lifetime_reserve',
  LE: 'lifetime_reserve_estimated',
  M2: 'maximum',
  MN: 'months',
  MO: 'months',
  P6: 'services',
  QA: 'approved',
  S7: 'age_at_most',
  S8: 'age_at_least',
  VS: 'visits',
  WK: 'weeks',
  YR: 'years',
  YY: 'years',
});

/** EB11 (X12 1073). `U` says that it is not known. */
export const AUTHORIZATIONS = slugs<'required' | 'not_required'>({ Y: 'required', N: 'not_required' });

/** EB12 (X12 1073). `U` says that it is not known. */
export const NETWORKS = slugs<BenefitNetwork>({ Y: 'in', N: 'out', W: 'either' });

/** EB13-1 (X12 235). */
export const SYSTEMS = slugs<ProcedureSystem>({
  AD: 'cdt',
  CJ: 'cpt',
  HC: 'cpt_hcpcs',
  ID: 'icd_9',
  IV: 'home_infusion',
  N4: 'ndc',
  NU: 'revenue_code',
  ZZ: 'other',
});

/** The slug of a code; null when none was sent. `other` means a code that is only in the segments. */
export function slugOf<Slug>(table: Slugs<Slug>, code: string | null, other: Slug): Slug | null {
  if (code === null || code === '') return null;
  return table.get(code) ?? other;
}
