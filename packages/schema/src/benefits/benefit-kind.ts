import type * as z from 'zod';
import { enumeration } from '../model.ts';

/**
 * What a benefit says, by slug, with its name for a page. One for each EB01 of a 271 (005010X279A1), which packages/x12
 * maps; only a verifier uses the last four. Append-only: slugs are never renamed or removed.
 */
export const BENEFIT_KINDS = {
  active: 'Active',
  active_full_risk: 'Active, provider bears the full risk',
  active_capitated: 'Active, services capitated',
  active_capitated_to_primary_care: 'Active, services capitated to the primary care provider',
  active_pending: 'Active, under review',
  inactive: 'Inactive',
  inactive_pending_update: 'Inactive, update of eligibility pending',
  inactive_pending: 'Inactive, under review',
  coinsurance: 'Co-insurance',
  copayment: 'Co-payment',
  deductible: 'Deductible',
  coverage_basis: 'Basis of coverage',
  described: 'Described',
  excluded: 'Excluded',
  limitation: 'Limitation',
  out_of_pocket: 'Out of pocket',
  unlimited: 'Unlimited',
  not_covered: 'Not covered',
  cost_containment: 'Cost containment',
  reserve: 'Reserve',
  primary_care_provider: 'Primary care provider',
  pre_existing_condition: 'Pre-existing condition',
  managed_care_coordinator: 'Managed care coordinator',
  restricted_to_provider: 'Restricted to a provider',
  not_medically_necessary: 'Not held to be medically necessary',
  disclaimer: 'Disclaimer',
  second_opinion: 'Second surgical opinion required',
  other_payer: 'Another payer',
  earlier_history: 'History of earlier years',
  card_lost: 'Card told as lost or stolen',
  carve_out: 'Somebody else to contact',
  cannot_tell: 'The payer cannot tell',
  other_source: 'Another source of the data',
  facility: 'Health care facility',
  spend_down: 'Spend-down',
  unknown: 'A code that is new to us',
  maximum: 'Maximum',
  authorization: 'Authorization',
  referral: 'Referral',
  waiting_period: 'Waiting period',
} as const;

/** What a benefit says ({@link BENEFIT_KINDS}). */
export const BenefitKind = enumeration(
  'BenefitKind',
  'The kind of statement about a benefit.',
  Object.keys(BENEFIT_KINDS) as (keyof typeof BENEFIT_KINDS)[],
);
export type BenefitKind = z.infer<typeof BenefitKind>;
