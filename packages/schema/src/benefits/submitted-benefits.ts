import * as z from 'zod';
import { date } from '../field/date.ts';
import { list } from '../field/list.ts';
import { textField, wholeNumber } from '../field/text-and-number.ts';
import { model } from '../model.ts';
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
import { BenefitAuthorization, BenefitKind, ProcedureSystem } from './benefit.ts';
import { CoverageOrder, PatientRelationship } from './request-benefits.ts';

/** The most benefits of one submission, of all its coverages together. */
export const SUBMITTED_BENEFIT_COUNT_MAX = 500;

const DECIMAL = /^\d{1,15}(\.\d{1,6})?$/;

/** A decimal number as text. A JSON number is refused: its parser may have rounded it. */
const decimal = () =>
  textField(
    (value) =>
      typeof value === 'string' && DECIMAL.test(value)
        ? value
        : {
            type: 'decimal_text',
            msg: 'Input should be a decimal number as text, without sign or unit, such as "25.00"',
          },
    { pattern: DECIMAL.source },
  );

const code = () => z.string().min(1).max(50);
const line = () => z.string().max(300);
const words = () => z.string().max(2_000);

const SubmittedCode = model('SubmittedCode', 'A code, with a name where the service may have none.', {
  code: code().meta({ description: 'The code.' }),
  name: line().nullish().meta({ description: "Its name. The service's own name for the code goes first." }),
});

const named = (description: string) => list(SubmittedCode).max(100).nullish().meta({ description });

const SubmittedProcedure = model('SubmittedProcedure', 'A procedure code, or a range of them.', {
  system: ProcedureSystem.meta({ description: 'The list that the code is of: `cdt` for dental codes.' }),
  code: code().meta({ description: 'The code; the first one of a range.' }),
  last_code: code().nullish().meta({ description: 'The last code of a range.' }),
  modifiers: list(code()).max(4).nullish().meta({ description: 'The modifiers of the code.' }),
});

/** A benefit as a person or an agent submits it: {@link Benefit} without the members that the service fills in. */
export const SubmittedBenefit = model(
  'SubmittedBenefit',
  'A statement of the payer about one benefit, as it was read or heard. A member is absent if the payer did not report it.',
  {
    kind: BenefitKind.meta({ description: 'The kind of statement.' }),
    service: model('SubmittedService', 'What a benefit is for.', {
      types: named('Service types (X12 1365): `30` is the plan as a whole.'),
      procedure: SubmittedProcedure.nullish().meta({ description: 'The procedure.' }),
      more_procedures: list(SubmittedProcedure)
        .max(100)
        .nullish()
        .meta({ description: 'Further procedures that the same holds for.' }),
      places: named('The places of service (CMS) it is limited to.'),
    })
      .nullish()
      .meta({ description: 'What it is for; the plan as a whole when left out.' }),
    network: BenefitNetwork.nullish().meta({ description: 'For which providers.' }),
    level: BenefitLevel.nullish().meta({ description: 'Whose it is.' }),
    amount: decimal().nullish().meta({ description: 'US dollars, as text: `25.00`.' }),
    percent: decimal().nullish().meta({
      description: "Percent of the charge that is the patient's, as text: `20`.",
    }),
    quantity: model('SubmittedQuantity', 'A count, with what it counts.', {
      value: decimal().meta({ description: 'How many, as text.' }),
      unit: BenefitUnit.nullish().meta({ description: 'What is counted.' }),
    })
      .nullish()
      .meta({ description: 'A count.' }),
    period: BenefitPeriod.nullish().meta({ description: 'The time that it is for.' }),
    remaining: z.boolean().nullish().meta({ description: 'True: it is what is left of a total.' }),
    authorization: BenefitAuthorization.nullish().meta({
      description: 'Whether an authorization is needed first.',
    }),
    frequency: list(
      model('SubmittedFrequency', 'How often, or how much in a time.', {
        count: decimal().nullish().meta({ description: 'How many, as text.' }),
        unit: BenefitUnit.nullish().meta({ description: 'What is counted.' }),
        rate: model('SubmittedRate', 'So many in each unit of time.', {
          count: decimal().meta({ description: 'How many in each, as text.' }),
          per: BenefitUnit.meta({ description: 'In each of these: `weeks` is a week.' }),
        })
          .nullish()
          .meta({ description: 'The pace of the count: 12 visits, 3 a week.' }),
        every: decimal().nullish().meta({ description: 'Every so many, as text.' }),
        every_unit: BenefitUnit.nullish().meta({ description: 'Of these.' }),
        period: BenefitPeriod.nullish().meta({ description: 'Within this time.' }),
        period_count: decimal().nullish().meta({ description: 'How many of it; one when left out.' }),
        pattern: code().nullish().meta({ description: 'The code of the days (X12 678).' }),
        pattern_time: code().nullish().meta({ description: 'The code of the time of day (X12 679).' }),
      }),
    )
      .max(20)
      .nullish()
      .meta({ description: 'How often.' }),
    insurance_type: model('SubmittedInsuranceType', 'The kind of insurance.', {
      slug: InsuranceType.meta({ description: 'What it is.' }),
      code: code().nullish().meta({ description: 'Its code (X12 1336), where one was read.' }),
    })
      .nullish()
      .meta({ description: 'The kind of insurance.' }),
    plan: line().nullish().meta({ description: "The plan in the payer's words." }),
    dates: list(
      model('SubmittedDate', 'A day or a period.', {
        kind: BenefitDateKind.meta({ description: 'What it is the date of.' }),
        start: date().nullish().meta({ description: 'The day, or the first one.' }),
        end: date().nullish().meta({ description: 'The last day of a period.' }),
      }),
    )
      .max(20)
      .nullish()
      .meta({ description: 'Its days.' }),
    related: list(
      model('SubmittedParty', 'A party that a benefit names.', {
        role: RelatedRole.meta({ description: 'What they are.' }),
        name: line().nullish().meta({ description: 'Their name.' }),
        id: code().nullish().meta({ description: 'Their id: an NPI, a payer id, a member id.' }),
        phone: code().nullish().meta({ description: 'Their phone number.' }),
        address: line().nullish().meta({ description: 'Their address in one line.' }),
      }),
    )
      .max(20)
      .nullish()
      .meta({ description: 'The parties that it names: another payer, a provider.' }),
    references: list(
      model('SubmittedReference', 'A number that the payer refers to it by.', {
        kind: BenefitReferenceKind.meta({ description: 'What the number is.' }),
        value: line().min(1).meta({ description: 'The number.' }),
        description: line().nullish().meta({ description: 'The name next to it.' }),
      }),
    )
      .max(20)
      .nullish()
      .meta({ description: 'Its reference numbers.' }),
    texts: list(words())
      .max(20)
      .nullish()
      .meta({ description: 'In words, in order: what has no member of its own.' }),
    quote: words()
      .nullish()
      .meta({ description: 'The words that were read or heard, verbatim. Kept with the attempt too.' }),
  },
);
export type SubmittedBenefit = z.infer<typeof SubmittedBenefit>;

/** The benefits that a person or an agent found of one coverage, in addition to its entry (`benefits` of `work.submit`). */
export const SubmittedCoverage = model(
  'SubmittedCoverage',
  'What was found of one coverage in addition to its entry.',
  {
    entry: wholeNumber().meta({ description: 'The position in insurance_data, from 0; each once.' }),
    group_number: line().nullish().meta({ description: "The group's number." }),
    relationship: PatientRelationship.nullish().meta({
      description: 'What the patient is to the subscriber.',
    }),
    order: CoverageOrder.nullish().meta({ description: 'Its place among several coverages.' }),
    benefits: list(SubmittedBenefit)
      .max(SUBMITTED_BENEFIT_COUNT_MAX)
      .meta({ description: 'The payer’s statements about it, in order; 500 in a submission at most.' }),
  },
);
/** {@link SubmittedCoverage} as a type; an interface, so that the types of the clients name it and stay short. */
export interface SubmittedCoverage extends z.infer<typeof SubmittedCoverage> {}
