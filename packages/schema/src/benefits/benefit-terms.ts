import type * as z from 'zod';
import { enumeration } from '../model.ts';

// Append-only: slugs are never renamed or removed. Their codes are in packages/x12, mapping/slugs.ts.

/** Which providers a benefit is for (EB12). Null: the payer did not say. */
export const BenefitNetwork = enumeration('BenefitNetwork', 'Which providers a benefit is for.', [
  'in',
  'out',
  'either',
]);
export type BenefitNetwork = z.infer<typeof BenefitNetwork>;

/** Whose benefit it is (EB02). */
export const BenefitLevel = enumeration('BenefitLevel', 'Whose benefit it is.', [
  'individual',
  'family',
  'employee',
  'employee_and_spouse',
  'employee_and_children',
  'spouse',
  'spouse_and_children',
  'children',
  'dependents',
  'two_persons',
  'other',
]);
export type BenefitLevel = z.infer<typeof BenefitLevel>;

/** The time that an amount or a count is for (EB06, HSD05). */
export const BenefitPeriod = enumeration('BenefitPeriod', 'The time that a benefit is for.', [
  'hour',
  'day',
  'hours_24',
  'years',
  'service_year',
  'calendar_year',
  'year_to_date',
  'contract',
  'episode',
  'visit',
  'outlier',
  'remaining',
  'exceeded',
  'not_exceeded',
  'lifetime',
  'month',
  'week',
  'admission',
  'other',
]);
export type BenefitPeriod = z.infer<typeof BenefitPeriod>;

/** What a quantity counts (EB09, HSD01, HSD03). */
export const BenefitUnit = enumeration('BenefitUnit', 'What a quantity counts.', [
  'services',
  'visits',
  'hours',
  'days',
  'weeks',
  'months',
  'years',
  'units',
  'minimum',
  'maximum',
  'used',
  'covered',
  'covered_estimated',
  'coinsurance_days',
  'deductible_blood_units',
  'lifetime_reserve',
  'lifetime_reserve_estimated',
  'approved',
  'age_at_most',
  'age_at_least',
  'other',
]);
export type BenefitUnit = z.infer<typeof BenefitUnit>;

/** The meaning of a date (DTP01). */
export const BenefitDateKind = enumeration('BenefitDateKind', 'What a date is the date of.', [
  'plan',
  'plan_begin',
  'plan_end',
  'eligibility',
  'eligibility_begin',
  'eligibility_end',
  'benefit',
  'benefit_begin',
  'benefit_end',
  'period_start',
  'period_end',
  'policy_effective',
  'policy_expiration',
  'coordination_of_benefits',
  'primary_care_provider',
  'service',
  'latest_visit',
  'admission',
  'discharge',
  'completion',
  'added',
  'last_update',
  'status',
  'issued',
  'enrollment',
  'cobra_begin',
  'cobra_end',
  'premium_paid_from',
  'premium_paid_to',
  'death',
  'other',
]);
export type BenefitDateKind = z.infer<typeof BenefitDateKind>;

/** The role of a party named after a benefit (NM101 of loop 2120). */
export const RelatedRole = enumeration('RelatedRole', 'The role of a party that a benefit names.', [
  'payer',
  'primary_payer',
  'secondary_payer',
  'tertiary_payer',
  'prior_carrier',
  'origin_carrier',
  'third_party_administrator',
  'utilization_management',
  'managed_care_organization',
  'preferred_provider_organization',
  'physicians_association',
  'primary_care_provider',
  'provider',
  'contracted_provider',
  'other_physician',
  'facility',
  'gateway_provider',
  'vendor',
  'group',
  'plan_sponsor',
  'employer',
  'insured',
  'legal_representative',
  'verifying_party',
  'change_organization',
  'other',
]);
export type RelatedRole = z.infer<typeof RelatedRole>;

/** The kind of a reference number (REF01). */
export const BenefitReferenceKind = enumeration('BenefitReferenceKind', 'What a reference number is.', [
  'plan_number',
  'group_number',
  'group_or_policy_number',
  'policy_number',
  'member_id',
  'subscriber_number',
  'family_unit_number',
  'medicare_id',
  'medicaid_id',
  'plan_network_id',
  'contract_number',
  'identity_card_number',
  'referral_number',
  'prior_authorization_number',
  'case_number',
  'drug_formulary_number',
  'coverage_list_id',
  'alternative_list_id',
  'other',
]);
export type BenefitReferenceKind = z.infer<typeof BenefitReferenceKind>;

/** The kind of insurance (EB04). */
export const InsuranceType = enumeration('InsuranceType', 'The kind of insurance.', [
  'medicare_secondary_working_aged',
  'medicare_secondary_kidney_disease',
  'medicare_secondary_no_fault',
  'medicare_secondary_workers_compensation',
  'medicare_secondary_public_health',
  'medicare_secondary_black_lung',
  'medicare_secondary_veterans',
  'medicare_secondary_disabled',
  'medicare_secondary_other_liability',
  'medicare_part_a',
  'medicare_part_b',
  'medicare_primary',
  'medicare_low_income',
  'medicare_advantage_hmo',
  'medicare_advantage_ppo',
  'medicare_advantage_pos',
  'medicare_advantage_indemnity',
  'medigap_part_a',
  'medigap_part_b',
  'qualified_medicare_beneficiary',
  'medicaid',
  'title_v',
  'automobile',
  'commercial',
  'cobra',
  'disability',
  'disability_benefits',
  'epo',
  'hmo',
  'ppo',
  'pos',
  'indemnity',
  'group_policy',
  'individual_policy',
  'long_term_care',
  'long_term_policy',
  'life',
  'litigation',
  'property',
  'supplemental',
  'workers_compensation',
  'other',
]);
export type InsuranceType = z.infer<typeof InsuranceType>;
