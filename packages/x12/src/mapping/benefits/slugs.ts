import type {
  BenefitDateKind,
  BenefitKind,
  BenefitLevel,
  BenefitNetwork,
  BenefitPeriod,
  BenefitReferenceKind,
  BenefitUnit,
  CoverageOrder,
  InsuranceType,
  PatientRelationship,
  ProcedureSystem,
  RelatedRole,
} from '@insurance-verification/schema';

// The codes of a 271 (005010X279A1) by the slugs of the schema. Codes alone: X12's words for them are licensed.

type Slugs<Slug> = ReadonlyMap<string, Slug>;

const slugs = <Slug extends string>(codes: Readonly<Record<string, Slug>>): Slugs<Slug> =>
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
export const LEVELS = slugs<BenefitLevel>({
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

/** EB06 and HSD05 (X12 615). 29 and 33 are what is left, of which 29 does not say of what. */
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

/** DTP01 (X12 374). */
export const DATES = slugs<BenefitDateKind>({
  '096': 'discharge',
  102: 'issued',
  193: 'period_start',
  194: 'period_end',
  198: 'completion',
  290: 'coordination_of_benefits',
  291: 'plan',
  292: 'benefit',
  295: 'primary_care_provider',
  304: 'latest_visit',
  307: 'eligibility',
  318: 'added',
  340: 'cobra_begin',
  341: 'cobra_end',
  342: 'premium_paid_from',
  343: 'premium_paid_to',
  346: 'plan_begin',
  347: 'plan_end',
  348: 'benefit_begin',
  349: 'benefit_end',
  356: 'eligibility_begin',
  357: 'eligibility_end',
  382: 'enrollment',
  435: 'admission',
  442: 'death',
  472: 'service',
  539: 'policy_effective',
  540: 'policy_expiration',
  636: 'last_update',
  771: 'status',
});

/** NM101 of loop 2120 (X12 98). */
export const ROLES = slugs<RelatedRole>({
  13: 'contracted_provider',
  '1I': 'preferred_provider_organization',
  '1P': 'provider',
  '2B': 'third_party_administrator',
  36: 'employer',
  73: 'other_physician',
  FA: 'facility',
  GP: 'gateway_provider',
  GW: 'group',
  I3: 'physicians_association',
  IL: 'insured',
  LR: 'legal_representative',
  OC: 'origin_carrier',
  P3: 'primary_care_provider',
  P4: 'prior_carrier',
  P5: 'plan_sponsor',
  PR: 'payer',
  PRP: 'primary_payer',
  SEP: 'secondary_payer',
  TTP: 'tertiary_payer',
  VER: 'verifying_party',
  VN: 'vendor',
  VY: 'change_organization',
  X3: 'utilization_management',
  Y2: 'managed_care_organization',
});

/** REF01 (X12 128). */
export const REFERENCES = slugs<BenefitReferenceKind>({
  '0F': 'subscriber_number',
  18: 'plan_number',
  '1L': 'group_or_policy_number',
  '1W': 'member_id',
  '3H': 'case_number',
  49: 'family_unit_number',
  '6P': 'group_number',
  '9F': 'referral_number',
  ALS: 'alternative_list_id',
  CLI: 'coverage_list_id',
  CT: 'contract_number',
  F6: 'medicare_id',
  FO: 'drug_formulary_number',
  G1: 'prior_authorization_number',
  HJ: 'identity_card_number',
  IG: 'policy_number',
  N6: 'plan_network_id',
  NQ: 'medicaid_id',
});

/** INS02 (X12 1069). */
export const RELATIONSHIPS = slugs<PatientRelationship>({
  '01': 'spouse',
  18: 'self',
  19: 'child',
  21: 'other',
  34: 'other_adult',
  G8: 'other',
});

/** What an EB04 says of the order in which payers pay. */
export const ORDER_OF_TYPE = slugs<CoverageOrder>({
  12: 'secondary',
  13: 'secondary',
  14: 'secondary',
  15: 'secondary',
  16: 'secondary',
  41: 'secondary',
  42: 'secondary',
  43: 'secondary',
  47: 'secondary',
  MP: 'primary',
});

/** What an NM101 behind an EB01 R says of it. */
export const ORDER_OF_ROLE = slugs<CoverageOrder>({ PRP: 'primary', SEP: 'secondary', TTP: 'tertiary' });

/** The slug of a code, null when none was sent. `other` tells that there is a code, which the segments have. */
export function slugOf<Slug>(table: Slugs<Slug>, code: string | null, other: Slug): Slug | null {
  if (code === null || code === '') return null;
  return table.get(code) ?? table.get(code.toUpperCase()) ?? other;
}
