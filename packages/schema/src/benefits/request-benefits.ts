import * as z from 'zod';
import { dateTime, date } from '../field/date.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import { enumeration, model } from '../model.ts';
import { EligibilityStatus, VerificationSource } from '../verification/insurance-plan-data.ts';
import { BenefitPeriod } from './benefit-terms.ts';
import { Benefit } from './benefit.ts';

const benefitIds = () =>
  list(z.string()).meta({ description: 'The benefits it was made from, in the order of the answer.' });

/** What a number of the summary counts. */
export const SummaryUnit = enumeration('SummaryUnit', 'What a number counts.', ['usd', 'percent']);
export type SummaryUnit = z.infer<typeof SummaryUnit>;

/** A value that follows from the payer's rows without doubt. */
export const SummaryValue = model('SummaryValue', "A value that the payer's rows leave no doubt of.", {
  value: z.string().meta({ description: 'A decimal number, or a word where the unit is null.' }),
  unit: SummaryUnit.nullable().meta({ description: 'What the number counts; null for a word.' }),
  period: BenefitPeriod.nullable().meta({ description: 'The time that it is for; null if not reported.' }),
  benefit_ids: benefitIds(),
});
export type SummaryValue = z.infer<typeof SummaryValue>;

/** Why there is no value. */
export const SummaryGap = model('SummaryGap', 'Why there is no value.', {
  why: z.enum(['not_said', 'several']).meta({
    description:
      'not_said: no row has a value for it. several: rows differ, or hold only for some places or ages; a person has to read which one counts.',
  }),
  benefit_ids: benefitIds(),
});
export type SummaryGap = z.infer<typeof SummaryGap>;

const reading = (description: string) => z.union([SummaryValue, SummaryGap]).meta({ description });

/** A total, with its remaining and its used part. */
export const AmountSummary = model('AmountSummary', 'A total, with what is left of it.', {
  total: reading('The whole.'),
  remaining: reading('What is left of it.'),
  met: reading(
    'What is used: as the payer reports it, otherwise the whole less what is left if both are reported.',
  ),
});
export type AmountSummary = z.infer<typeof AmountSummary>;

/** An amount of the individual and of the family (EB02). */
export const LevelSummary = model('LevelSummary', 'An amount, by whose it is.', {
  individual: AmountSummary.meta({ description: "The patient's own." }),
  family: AmountSummary.meta({ description: "The family's." }),
  level_not_said: AmountSummary.nullable().meta({
    description: 'Where rows do not say whose it is; null where all say it.',
  }),
});
export type LevelSummary = z.infer<typeof LevelSummary>;

/** A patient's benefits and costs with the providers of one network. */
export const NetworkSummary = model('NetworkSummary', 'What holds with the providers of one network.', {
  cover: reading('`covered` or `not_covered`, if a row states it for this network.'),
  copayment: reading('What the patient pays a visit.'),
  coinsurance: reading('The percent of the charge that the patient pays.'),
  deductible: LevelSummary.meta({ description: 'What the patient pays before the plan does.' }),
  out_of_pocket: LevelSummary.meta({ description: 'The most that the patient pays.' }),
  maximum: LevelSummary.meta({ description: 'The most that the plan pays.' }),
  authorization: reading('`required` or `not_required`, if a row states it.'),
});
export type NetworkSummary = z.infer<typeof NetworkSummary>;

const networks = {
  in_network: NetworkSummary.meta({ description: 'With providers in the network, or in either.' }),
  out_of_network: NetworkSummary.meta({ description: 'With providers outside of it, or in either.' }),
  network_not_said: NetworkSummary.nullable().meta({
    description: 'Where rows name no network; null where all name one.',
  }),
};

/** The statements about the plan as a whole. */
export const PlanSummary = model('PlanSummary', 'The statements about the plan as a whole.', networks);
export type PlanSummary = z.infer<typeof PlanSummary>;

/** The statements about one service type that was asked for in addition to the plan. */
export const ServiceTypeSummary = model('ServiceTypeSummary', 'The statements about one service type.', {
  service_type: z.string().meta({ description: 'The service type, such as `35` for dental care.' }),
  ...networks,
});
export type ServiceTypeSummary = z.infer<typeof ServiceTypeSummary>;

/** The statements about one procedure that was asked for. */
export const ProcedureSummary = model('ProcedureSummary', 'The statements about one procedure.', {
  procedure: z.string().meta({ description: 'The code as the provider wrote it.' }),
  ...networks,
});
export type ProcedureSummary = z.infer<typeof ProcedureSummary>;

/** The values that a front desk needs first, where the payer's rows have exactly one reading. Never an estimate. */
export const BenefitSummary = model('BenefitSummary', 'What a desk asks for first.', {
  plan: PlanSummary.meta({ description: 'By the rows for the plan as a whole.' }),
  service_types: list(ServiceTypeSummary).meta({
    description: 'By the rows for the service type; one for each that was asked for in addition to the plan.',
  }),
  procedures: list(ProcedureSummary).meta({
    description: 'By the rows that name the procedure; one for each that was asked for.',
  }),
});
export type BenefitSummary = z.infer<typeof BenefitSummary>;

/** Names a version of a request's result (`requests.benefits`). */
export const GetBenefits = model('GetBenefits', "Names a version of a request's result.", {
  version: z.int().min(1).max(2_147_483_647).optional().meta({
    description: 'The version of the result, from 1; the standing one without it.',
  }),
});
export type GetBenefits = z.infer<typeof GetBenefits>;

/** The patient's relationship to the subscriber (INS02). */
export const PatientRelationship = enumeration(
  'PatientRelationship',
  'What the patient is to the subscriber.',
  ['self', 'spouse', 'child', 'other_adult', 'other'],
);
export type PatientRelationship = z.infer<typeof PatientRelationship>;

/** The place of a coverage among several. */
export const CoverageOrder = enumeration('CoverageOrder', 'The place of a coverage among several.', [
  'primary',
  'secondary',
  'tertiary',
]);
export type CoverageOrder = z.infer<typeof CoverageOrder>;

/** A procedure or service type that was asked for, and that the payer did not answer. */
export const UnansweredService = model('UnansweredService', 'Asked for, and not answered.', {
  procedure: z.string().optional().meta({ description: 'A procedure code as the provider wrote it.' }),
  service_type: z.string().optional().meta({ description: 'A service type.' }),
});
export type UnansweredService = z.infer<typeof UnansweredService>;

/** Everything the payer reported about one coverage. */
export const CoverageBenefits = model(
  'CoverageBenefits',
  'Everything the payer reported about one coverage.',
  {
    entry: wholeNumber().meta({ description: 'Its position in the insurance_data of that version, from 0.' }),
    plan_name: z.string().nullable().meta({ description: 'As in that entry.' }),
    eligibility_status: EligibilityStatus.nullable().meta({ description: 'As in that entry.' }),
    group_number: z.string().nullable().meta({ description: "The group's number; null if not reported." }),
    relationship: PatientRelationship.nullable().meta({
      description: 'What the patient is to the subscriber; null if not reported.',
    }),
    order: CoverageOrder.nullable().meta({ description: 'Its place among several; null if not reported.' }),
    benefits: list(Benefit).meta({ description: "The payer's rows, in their order; none is left out." }),
    unanswered: list(UnansweredService).meta({
      description: 'Asked for, and not answered of this coverage.',
    }),
    summary: BenefitSummary.meta({ description: 'What a desk asks for first.' }),
  },
);
/** {@link CoverageBenefits} as a type; an interface, so that the types of the clients name it and stay short. */
export interface CoverageBenefits extends z.infer<typeof CoverageBenefits> {}

/** Everything the payer reported about a patient (`requests.benefits`). */
export const RequestBenefits = model('RequestBenefits', 'Everything the payer reported about a patient.', {
  request_id: z.string().meta({ description: 'The request.' }),
  version: wholeNumber().meta({ description: 'The version of the result, from 1.' }),
  verification_source: VerificationSource.nullable().meta({
    description: 'How the first coverage was verified; null without one.',
  }),
  verification_time: dateTime().nullable().meta({ description: 'When it was; null without one.' }),
  service_date: date().nullable().meta({
    description:
      'The day that was asked about: that of Service-Date, else of the asking; null without it and benefits.',
  }),
  left_out: wholeNumber().meta({
    description:
      'How many rows of the answer are not in the lists, since it has more than 2,000 or they have more than 256 KiB; the exchange has them.',
  }),
  coverages: list(CoverageBenefits).meta({
    description: 'One for each entry of insurance_data; without benefits their lists are empty.',
  }),
});
/** {@link RequestBenefits} as a type; an interface, as {@link CoverageBenefits}. */
export interface RequestBenefits extends z.infer<typeof RequestBenefits> {}
