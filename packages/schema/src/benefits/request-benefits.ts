import * as z from 'zod';
import { dateTime } from '../field/date/date-time.ts';
import { date } from '../field/date/date.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/whole-number.ts';
import { enumeration, model } from '../model.ts';
import { EligibilityStatus } from '../verification/eligibility-status.ts';
import { VerificationSource } from '../verification/verification-source.ts';
import { BenefitSummary } from './benefit-summary.ts';
import { Benefit } from './benefit.ts';

/** Names a version of a request's result (`requests.benefits`). */
export const GetBenefits = model('GetBenefits', "Names a version of a request's result.", {
  version: z.int().min(1).max(2_147_483_647).optional().meta({
    description: 'The version of the result, from 1; the standing one without it.',
  }),
});
export type GetBenefits = z.infer<typeof GetBenefits>;

/** What the patient is to the subscriber (INS02). */
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

/** Everything the payer said of a patient (`requests.benefits`). */
export const RequestBenefits = model('RequestBenefits', 'Everything the payer reported about a patient.', {
  request_id: z.string().meta({ description: 'The request.' }),
  version: wholeNumber().meta({ description: 'The version of the result, from 1.' }),
  verification_source: VerificationSource.nullable().meta({
    description: 'How the first coverage was verified; null without one.',
  }),
  verification_time: dateTime().nullable().meta({ description: 'When it was; null without one.' }),
  service_date: date().nullable().meta({
    description:
      'The day that was asked about: the one of Service-Date, else that of the asking; null where the request has no Service-Date and the result no benefits.',
  }),
  left_out: wholeNumber().meta({
    description:
      'How many rows of the answer are not in the lists, since it has more than 2,000 or they have more than 256 KiB; the exchange has them.',
  }),
  coverages: list(CoverageBenefits).meta({
    description: 'One for each entry of insurance_data; without benefits their lists are empty.',
  }),
});
export type RequestBenefits = z.infer<typeof RequestBenefits>;
