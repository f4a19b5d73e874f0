import type {
  BenefitDateKind,
  BenefitReferenceKind,
  CoverageOrder,
  PatientRelationship,
  RelatedRole,
} from '@insurance-verification/schema';
import { slugs } from './slugs.ts';

// The codes of the segments after an EB, and of those above it.

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

/** The order in which payers pay, by EB04. */
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

/** The order in which payers pay, by the NM101 after an EB01 R. */
export const ORDER_OF_ROLE = slugs<CoverageOrder>({ PRP: 'primary', SEP: 'secondary', TTP: 'tertiary' });

/** The order that all rows with one share; null where they differ, or none has one. */
export function onlyOrder(orders: readonly (CoverageOrder | undefined)[]): CoverageOrder | null {
  const [first, ...others] = orders.filter((order) => order !== undefined);
  return first !== undefined && others.every((order) => order === first) ? first : null;
}
