import * as z from 'zod';
import { dateTime } from '../field/date.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import type { createRequestModel } from '../intake/request-view.ts';
import { enumeration, model } from '../model.ts';
import type { PayerNames } from '../payers.ts';
import type { createHeldOutputDetail } from './held-output.ts';
import type { createResponseModel } from './response-model.ts';

/** How an offered value differs from the one that it is compared with. */
export const ValueDifference = enumeration(
  'ValueDifference',
  'How an offered value differs: `form` only in writing, as by spaces and capitals; `swapped` by two neighbouring characters of an id or a date, or by day and month; `near`, only of names and addresses, by two letters at most or in the order of the words; `added` and `missing` have nothing on the other side. Enumerations, plan names, codes and notes are equal or different.',
  ['none', 'form', 'swapped', 'near', 'added', 'missing', 'different'],
);
export type ValueDifference = z.infer<typeof ValueDifference>;

const places = (other: string) =>
  list(wholeNumber()).meta({
    description: `Which letters and digits differ from the ${other} value, from 1, without spaces and signs; only of ids and dates. Counted in the longer of the two; empty where most of it differs.`,
  });

/** One value of the request, of the current result and of the held output. */
export const ComparedValue = model('ComparedValue', 'One value, asked, standing and offered.', {
  field: z.string().meta({ description: 'Where the output has it, as a JSON pointer.' }),
  name: z.string().meta({ description: 'What it is, in words.' }),
  asked: z.string().nullable().meta({
    description:
      'The request’s value; null without one. With the values of a coverage its first 500 characters.',
  }),
  standing: z.string().nullable().meta({ description: 'The current result’s value; null without one.' }),
  offered: z.string().nullable().meta({ description: 'The held output’s value; null without one.' }),
  asked_difference: ValueDifference.meta({
    description: 'How the offered value differs from the asked one.',
  }),
  asked_places: places('asked'),
  standing_difference: ValueDifference.meta({
    description: 'How the offered value differs from the standing one.',
  }),
  standing_places: places('standing'),
});
export type ComparedValue = z.infer<typeof ComparedValue>;

/** A rule for outputs that the held output does not meet. */
export const FailedTest = model('FailedTest', 'A test that the held output does not pass.', {
  test: enumeration('OutputTest', 'What a test of the rules for outputs asks.', [
    'sender',
    'request',
    'member_id',
    'npi',
    'payer',
    'coverage_request',
    'coverage_patient',
    'first_result',
  ]).meta({ description: 'Which test.' }),
  coverage: wholeNumber().nullable().meta({ description: 'The coverage’s position, from 0; null for none.' }),
  sentence: z.string().meta({ description: 'What is wrong, in words, without the values.' }),
});
export type FailedTest = z.infer<typeof FailedTest>;

/** How a held output was settled. Its status is in the output, the note of a dismissal too. */
export const HeldDecision = model('HeldDecision', 'Who applied or dismissed a held output, and when.', {
  by: z.string().meta({ description: 'The id of the key or person.' }),
  by_name: z.string().nullable().meta({ description: 'Its name now; null for a key without one.' }),
  at: dateTime().meta({ description: 'When.' }),
  version: wholeNumber().nullable().meta({
    description: 'The version of the result that it became; null when it was dismissed.',
  }),
});
export type HeldDecision = z.infer<typeof HeldDecision>;

/** A held output compared with its request and the current result (`heldOutputs.compare`). */
export function createHeldComparison<P extends PayerNames>({
  detail,
  requestModel,
  responseModel,
}: {
  readonly detail: ReturnType<typeof createHeldOutputDetail<P>>;
  readonly requestModel: ReturnType<typeof createRequestModel<P>>;
  readonly responseModel: ReturnType<typeof createResponseModel<P>>;
}) {
  return model('HeldComparison', 'A held output next to what was asked and the current result.', {
    held: detail.meta({ description: 'The held output.' }),
    request: requestModel.nullable().meta({
      description:
        'The request that it is compared with: the named one, else the one that it was applied to, else its own; null without any.',
    }),
    standing: responseModel.nullable().meta({
      description:
        "The request's current result; of a settled output the one that the request had when it was settled. Null when there is none.",
    }),
    decision: HeldDecision.nullable().meta({
      description: 'Who applied or dismissed it, and when; null while it waits.',
    }),
    sentence: z.string().meta({ description: 'Why it was held and what differs, in one sentence.' }),
    failed_tests: list(FailedTest).meta({
      description: 'The tests that it does not pass, first the one that held it.',
    }),
    values: list(ComparedValue).meta({
      description:
        'Every value that any of the three has: those of the request, then those of each coverage.',
    }),
    receiver: model('HeldReceiver', 'Who gets a webhook when a held output is applied.', {
      account_id: z.string().meta({ description: 'The account of the request.' }),
      account_name: z.string().meta({ description: 'Its name.' }),
      host: z.string().meta({ description: 'The host of the callback address.' }),
    })
      .nullable()
      .meta({
        description: 'Who gets a webhook when it is applied to this request; null without a request.',
      }),
  });
}

/** The request to compare a held output with (`heldOutputs.compare`). */
export const CompareHeldOutput = model('CompareHeldOutput', 'What a held output is compared with.', {
  request_id: z.string().optional().meta({
    description:
      'The request to compare it with; absent: the one that it was applied to, else the one that it names itself.',
  }),
});
export type CompareHeldOutput = z.infer<typeof CompareHeldOutput>;
