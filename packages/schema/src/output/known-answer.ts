import * as z from 'zod';
import { date, dateTime } from '../field/date.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import type { createRequestInfo } from '../intake/request-info.ts';
import { enumeration, model } from '../model.ts';
import { nextCursorField } from '../page.ts';
import type { PayerNames } from '../payers.ts';
import { RequestState } from '../request-state.ts';
import { EligibilityStatus, VerificationSource } from '../verification/insurance-plan-data.ts';

/** Whether a procedure code is covered, where that is known. */
export const KnownCode = model('KnownCode', 'Whether a procedure code is covered, where that is known.', {
  code: z.string().min(1).max(48).meta({ description: 'The code, such as D0120.' }),
  is_covered: z.boolean().meta({ description: 'Whether it is covered.' }),
});
export type KnownCode = z.infer<typeof KnownCode>;

/** The right answer to a request. What is left out is not compared; null means that the payer reports none. */
export const KnownAnswer = model(
  'KnownAnswer',
  'The right answer to a request. What is left out is not compared; null: the payer reports none.',
  {
    eligibility_status: EligibilityStatus.nullable().optional().meta({
      description: 'Whether the plan covers the patient.',
    }),
    plan_name: z.string().max(500).nullable().optional().meta({
      description: 'Name of the plan, exactly as the payer writes it.',
    }),
    start_date: date().nullable().optional().meta({ description: 'First day of coverage.' }),
    end_date: date().nullable().optional().meta({ description: 'Last day of coverage; null: open.' }),
    codes: list(KnownCode).max(100).optional().meta({ description: 'The codes whose coverage is known.' }),
  },
);
export type KnownAnswer = z.infer<typeof KnownAnswer>;

/** A request to seed, with its right answer (`knownAnswers.create`). */
export function createSeedKnownAnswer<P extends PayerNames>(
  requestInfo: ReturnType<typeof createRequestInfo<P>>,
) {
  return model('SeedKnownAnswer', 'A request to seed, with its right answer.', {
    request: requestInfo.meta({
      description: 'What verifiers are asked. They see its callback_url, which is never called.',
    }),
    answer: KnownAnswer.meta({ description: 'The right answer, which verifiers do not see.' }),
  });
}

/** A seeded request (`knownAnswers.list`). */
export const SeededRequest = model('SeededRequest', 'A seeded request.', {
  request_id: z.string().meta({ description: 'The request.' }),
  payer: z.string().meta({ description: 'Its payer, as it was posted.' }),
  patient_initials: z.string().nullable().meta({
    description: 'The initials of the patient; null for a name without letters, and once it is erased.',
  }),
  state: RequestState.meta({ description: 'Its state.' }),
  answer: KnownAnswer.nullable().meta({ description: 'The right answer; null once it is erased.' }),
  seeded_at: dateTime().meta({ description: 'When it was seeded.' }),
  seeded_by: z.string().meta({ description: 'The person or the key that seeded it.' }),
  seeded_by_name: z.string().nullable().meta({ description: 'Their name; null without one.' }),
});
export type SeededRequest = z.infer<typeof SeededRequest>;

/** One page of seeded requests, newest first (`knownAnswers.list`). */
export const SeededRequestList = model('SeededRequestList', 'One page of seeded requests, newest first.', {
  items: list(SeededRequest).meta({ description: 'The seeded requests.' }),
  next_cursor: nextCursorField(),
});
export type SeededRequestList = z.infer<typeof SeededRequestList>;

/** A field of an answer that is compared with the right one. */
export const KnownField = enumeration('KnownField', 'A field that is compared with the right answer.', [
  'eligibility_status',
  'plan_name',
  'start_date',
  'end_date',
  'cpt_code',
]);
export type KnownField = z.infer<typeof KnownField>;

/** Which answers to measure (`knownAnswers.report`). */
export const AccuracyQuery = model('AccuracyQuery', 'Which answers to measure.', {
  from: dateTime().optional().meta({
    description: 'Answers given from then on; absent: 90 days before `until`.',
  }),
  until: dateTime().optional().meta({ description: 'Answers given before; absent: now.' }),
});
export type AccuracyQuery = z.infer<typeof AccuracyQuery>;

/** How right one verifier was in one field over one channel. */
export const FieldAccuracy = model(
  'FieldAccuracy',
  'How right one verifier was in one field over one channel.',
  {
    verifier_id: z.string().nullable().meta({
      description: 'The person or the key; null: the service itself over X12, or a sender without a key.',
    }),
    verifier_name: z.string().nullable().meta({ description: 'Their name; null without one.' }),
    channel: VerificationSource.nullable().meta({
      description: 'How the payer was asked; null when the output does not say.',
    }),
    field: KnownField.meta({ description: 'The field.' }),
    code: z.string().nullable().meta({ description: 'The code, of `cpt_code`; else null.' }),
    answered_count: wholeNumber().meta({ description: 'Answers that state the field: n.' }),
    right_count: wholeNumber().meta({ description: 'Of them, those that agree with the right answer.' }),
    wrong_count: wholeNumber().meta({ description: 'Of them, those that do not.' }),
    unanswered_count: wholeNumber().meta({
      description: 'Answers that leave the field open, and requests that could not be verified.',
    }),
    right_share_low: z.number().nullable().meta({
      description:
        'The lower end of the Wilson interval of 95 % for the share of right answers, 0 to 1; null without any.',
    }),
    right_share_high: z.number().nullable().meta({ description: 'Its upper end; null without any.' }),
    wrong_request_ids: list(z.string()).meta({
      description: 'The requests of the wrong answers, the latest first, 100 at most.',
    }),
  },
);
export type FieldAccuracy = z.infer<typeof FieldAccuracy>;

/** How right the answers to seeded requests were (`knownAnswers.report`). */
export const AccuracyReport = model('AccuracyReport', 'How right the answers to seeded requests were.', {
  from: dateTime().meta({ description: 'When it begins.' }),
  until: dateTime().meta({ description: 'When it ends, exclusive.' }),
  items: list(FieldAccuracy).meta({ description: 'By verifier, channel and field.' }),
});
export type AccuracyReport = z.infer<typeof AccuracyReport>;
