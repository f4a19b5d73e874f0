import * as z from 'zod';
import { date } from '../field/date.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import { enumeration, model } from '../model.ts';
import {
  BenefitDateKind,
  BenefitLevel,
  BenefitNetwork,
  BenefitPeriod,
  BenefitReferenceKind,
  BenefitUnit,
  InsuranceType,
  RelatedRole,
} from './benefit-terms.ts';

/**
 * The kinds of benefits by slug, each with its name for a page. One for each EB01 of a 271 (005010X279A1), mapped by
 * packages/x12; only a verifier uses the last four. Append-only: slugs are never renamed or removed.
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

/** The kind of a benefit ({@link BENEFIT_KINDS}). */
export const BenefitKind = enumeration(
  'BenefitKind',
  'The kind of statement about a benefit.',
  Object.keys(BENEFIT_KINDS) as (keyof typeof BENEFIT_KINDS)[],
);
export type BenefitKind = z.infer<typeof BenefitKind>;

/** A decimal number as text, so that no reader rounds it: `1500.00`, `12.5`, `0`. */
function decimal() {
  return z.string().regex(/^\d{1,15}(\.\d{1,6})?$/);
}

/** A code of a list that others keep, with our name for it; the name is null for a code that is new to us. */
export const NamedCode = model('NamedCode', 'A code, with a name in our words.', {
  code: z.string().meta({ description: 'The code as the payer sent it.' }),
  name: z.string().nullable().meta({ description: 'Its name in our words; null for a code new to us.' }),
});
export type NamedCode = z.infer<typeof NamedCode>;

/** The code lists that name a procedure (EB13-1). */
export const BenefitAuthorization = enumeration(
  'BenefitAuthorization',
  'Whether an authorization or certification is needed first.',
  ['required', 'not_required'],
);
export type BenefitAuthorization = z.infer<typeof BenefitAuthorization>;

/** The list that a procedure code is of. */
export const ProcedureSystem = enumeration('ProcedureSystem', 'The list that a procedure code is of.', [
  'cpt_hcpcs',
  'cpt',
  'cdt',
  'icd_9',
  'icd_10',
  'ndc',
  'home_infusion',
  'revenue_code',
  'other',
]);
export type ProcedureSystem = z.infer<typeof ProcedureSystem>;

/** A procedure code, or a range of them (EB13). Never a descriptor: those are licensed. */
export const BenefitProcedure = model('BenefitProcedure', 'A procedure code, or a range of them.', {
  system: ProcedureSystem.meta({ description: 'The list that the code is of.' }),
  code: z.string().meta({ description: 'The code; the first one of a range.' }),
  last_code: z.string().nullable().meta({ description: 'The last code of a range; null for a single one.' }),
  modifiers: list(z.string()).meta({ description: 'The modifiers of the code, at most four.' }),
});
export type BenefitProcedure = z.infer<typeof BenefitProcedure>;

/** The services that a benefit is about. All lists empty: the plan as a whole. */
export const BenefitService = model('BenefitService', 'What a benefit is for.', {
  types: list(NamedCode).meta({ description: 'Service types (EB03): `30` is the plan as a whole.' }),
  procedure: BenefitProcedure.nullable().meta({
    description: 'The procedure (EB13); null: not a single one.',
  }),
  more_procedures: list(BenefitProcedure).meta({
    description: 'Further procedures of the same row, which the standard does not have but some payers send.',
  }),
  places: list(NamedCode).meta({
    description: 'The places of service it is limited to (III); empty: not limited.',
  }),
});
export type BenefitService = z.infer<typeof BenefitService>;

/** A count with what it counts (EB09, EB10). */
export const BenefitQuantity = model('BenefitQuantity', 'A count, with what it counts.', {
  value: decimal().meta({ description: 'How many.' }),
  unit: BenefitUnit.nullable().meta({ description: 'What is counted; null if not reported.' }),
});
export type BenefitQuantity = z.infer<typeof BenefitQuantity>;

/** A pace (HSD03, HSD04): `{ count: "3", per: "weeks" }` is three a week. */
export const BenefitRate = model('BenefitRate', 'So many in each unit of time.', {
  count: decimal().meta({ description: 'How many in each (HSD04).' }),
  per: BenefitUnit.meta({ description: 'In each of these (HSD03): `weeks` is a week.' }),
});
export type BenefitRate = z.infer<typeof BenefitRate>;

/**
 * How often (HSD): `{ count: "2", unit: "visits", period: "month", period_count: "6" }` is two visits in six months; with
 * `rate: { count: "3", per: "weeks" }` at three a week. A row without a count has `every` instead of a rate.
 */
export const BenefitFrequency = model('BenefitFrequency', 'How often, or how much in a time.', {
  count: decimal().nullable().meta({ description: 'How many (HSD02); null if not reported.' }),
  unit: BenefitUnit.nullable().meta({ description: 'What is counted (HSD01); null if not reported.' }),
  rate: BenefitRate.nullable().meta({
    description: 'The pace of the count (HSD03, HSD04); null if not reported, or without a count.',
  }),
  every: decimal().nullable().meta({
    description: 'Every so many (HSD04); null if not reported, or if it is a rate.',
  }),
  every_unit: BenefitUnit.nullable().meta({
    description: 'Of these (HSD03); null if not reported, or if it is a rate.',
  }),
  period: BenefitPeriod.nullable().meta({ description: 'Within this time (HSD05); null if not reported.' }),
  period_count: decimal().nullable().meta({ description: 'How many of it (HSD06); null: one.' }),
  pattern: z.string().nullable().meta({ description: 'The code of the days (HSD07); null if not reported.' }),
  pattern_time: z.string().nullable().meta({
    description: 'The code of the time of day (HSD08); null if not reported.',
  }),
});
export type BenefitFrequency = z.infer<typeof BenefitFrequency>;

/** The kind of insurance (EB04). */
export const BenefitInsuranceType = model('BenefitInsuranceType', 'The kind of insurance.', {
  code: z.string().meta({
    description: 'The code as the payer sent it; empty where a verifier gave only the slug.',
  }),
  slug: InsuranceType.meta({ description: 'What it means.' }),
});
export type BenefitInsuranceType = z.infer<typeof BenefitInsuranceType>;

/** A day or a period (DTP). */
export const BenefitDate = model('BenefitDate', 'A day or a period.', {
  kind: BenefitDateKind.meta({ description: 'What it is the date of.' }),
  start: date().nullable().meta({ description: 'The day, or the first one; null: an open begin.' }),
  end: date().nullable().meta({ description: 'The last day of a period; null: one day, or no end.' }),
});
export type BenefitDate = z.infer<typeof BenefitDate>;

/** A party named after a benefit (loop 2120). */
export const RelatedParty = model('RelatedParty', 'A party that a benefit names.', {
  role: RelatedRole.meta({ description: 'What they are.' }),
  name: z.string().nullable().meta({ description: 'Their name; null if not reported.' }),
  id: z.string().nullable().meta({ description: 'Their id: an NPI, a payer id, a member id.' }),
  phone: z.string().nullable().meta({ description: 'The first phone number; null if none is reported.' }),
  address: z.string().nullable().meta({ description: 'In one line; null if not reported.' }),
});
export type RelatedParty = z.infer<typeof RelatedParty>;

/** A number that the payer refers to it by (REF). */
export const BenefitReference = model('BenefitReference', 'A number that the payer refers to it by.', {
  kind: BenefitReferenceKind.meta({ description: 'What the number is.' }),
  value: z.string().meta({ description: 'The number.' }),
  description: z.string().nullable().meta({ description: 'The name next to it (REF03).' }),
});
export type BenefitReference = z.infer<typeof BenefitReference>;

/** The row of a 271 that a benefit was read from. */
export const X12BenefitSource = model('X12BenefitSource', 'The row of a 271 that a benefit was read from.', {
  kind: z.literal('x12').meta({ description: 'Read from a 271.' }),
  row: wholeNumber().meta({ description: 'Which EB of what counts for the patient, from 0.' }),
  loop: z.enum(['patient', 'subscriber']).meta({
    description:
      'Whose loop it is in. subscriber: the payer names the patient as a dependent, and this is only about the subscriber.',
  }),
  inquiry: wholeNumber().optional().meta({
    description: 'The `number` of its exchange; absent where the payer was asked once.',
  }),
  segments: list(z.string()).meta({
    description: 'The segments of loop 2110, EB first, as they were sent, without their terminators.',
  }),
});
export type X12BenefitSource = z.infer<typeof X12BenefitSource>;

/** The person or agent that read or heard a benefit. */
export const VerifierBenefitSource = model(
  'VerifierBenefitSource',
  'The person or agent that read or heard a benefit.',
  {
    kind: z.literal('verifier').meta({ description: 'Submitted by a person or an agent.' }),
    attempt: wholeNumber().meta({ description: 'The number of the attempt at the request.' }),
    quote: z.string().nullable().meta({ description: 'The words that were read or heard; null: none kept.' }),
    reference: z.string().nullable().meta({
      description: "The payer's reference number for the call or inquiry; null: none was given.",
    }),
  },
);
export type VerifierBenefitSource = z.infer<typeof VerifierBenefitSource>;

/** One statement of the payer about a benefit. Every member is present; null where the payer did not say. */
export const Benefit = model('Benefit', 'One statement of the payer about a benefit.', {
  benefit_id: z.string().meta({ description: 'Names it within its version.' }),
  kind: BenefitKind.meta({ description: 'The kind of statement (EB01).' }),
  service: BenefitService.meta({ description: 'What it is for.' }),
  network: BenefitNetwork.nullable().meta({ description: 'For which providers (EB12).' }),
  level: BenefitLevel.nullable().meta({ description: 'Whose it is (EB02).' }),
  amount: decimal().nullable().meta({ description: 'US dollars (EB07), with two decimals at least.' }),
  percent: decimal()
    .nullable()
    .meta({ description: "Percent of the charge that is the patient's (EB08 × 100)." }),
  quantity: BenefitQuantity.nullable().meta({ description: 'A count (EB09, EB10).' }),
  period: BenefitPeriod.nullable().meta({ description: 'The time that it is for (EB06).' }),
  remaining: z.boolean().meta({ description: 'Whether it is what is left of a total (EB06).' }),
  authorization: BenefitAuthorization.nullable().meta({
    description: 'Whether an authorization or certification is needed first (EB11).',
  }),
  frequency: list(BenefitFrequency).meta({ description: 'How often (HSD).' }),
  insurance_type: BenefitInsuranceType.nullable().meta({ description: 'The kind of insurance (EB04).' }),
  plan: z.string().nullable().meta({ description: "The plan in the payer's words (EB05)." }),
  dates: list(BenefitDate).meta({ description: 'Its days (DTP).' }),
  related: list(RelatedParty).meta({ description: 'The parties that it names (loop 2120).' }),
  references: list(BenefitReference).meta({ description: 'Its reference numbers (REF).' }),
  texts: list(z.string()).meta({ description: "The payer's or the verifier's words, in order (MSG)." }),
  source: z.union([X12BenefitSource, VerifierBenefitSource]).meta({ description: 'Where it comes from.' }),
});
export type Benefit = z.infer<typeof Benefit>;
