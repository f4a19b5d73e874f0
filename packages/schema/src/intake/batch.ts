import * as z from 'zod';
import { RequestBenefits } from '../benefits/request-benefits.ts';
import { ValidationError } from '../fault/validation-errors.ts';
import { dateTime } from '../field/date.ts';
import { httpUrl } from '../field/http-url.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import { enumeration, model } from '../model.ts';
import { nextCursorField } from '../page.ts';
import type { PayerNames } from '../payers.ts';
import type { createInsurancePlanData } from '../verification/insurance-plan-data.ts';
import type { createRequestInfo } from './request-info.ts';

/** Rows that a batch may have. */
export const BATCH_ROWS_MAX = 100_000;

/** Bytes that the file of a batch may have. */
export const BATCH_BYTES_MAX = 64 * 1024 * 1024;

/** Rows that a batch of one tRPC call may have. */
export const BATCH_LIST_ROWS_MAX = 500;

/** Characters that a row's own id may have. */
export const REFERENCE_LENGTH_MAX = 64;

/** What a batch does with its valid rows when others are not. */
export const BatchMode = enumeration('BatchMode', 'What becomes of the valid rows when others are not.', [
  'accept_valid',
  'all_or_nothing',
]);
export type BatchMode = z.infer<typeof BatchMode>;

/**
 * Where a batch is.
 *
 * | state        | meaning                                                                             |
 * |--------------|-------------------------------------------------------------------------------------|
 * | `receiving`  | its rows are being sent                                                             |
 * | `incomplete` | the sender was cut off; the same file with the same key resumes it within 24 hours  |
 * | `running`    | all rows are here, and some have no result                                          |
 * | `canceling`  | it was canceled, and verifiers still work on some rows                              |
 * | `ended`      | no row waits for a result                                                           |
 */
export const BatchState = enumeration('BatchState', 'Where a batch is.', [
  'receiving',
  'incomplete',
  'running',
  'canceling',
  'ended',
]);
export type BatchState = z.infer<typeof BatchState>;

/** How many rows of an ended batch were answered. */
export const BatchOutcome = enumeration('BatchOutcome', 'How many rows of an ended batch were answered.', [
  'all',
  'some',
  'none',
]);
export type BatchOutcome = z.infer<typeof BatchOutcome>;

/** A row of a batch: a request, the sender's own id for it, and what the headers of a single create say. */
export function createBatchRow<P extends PayerNames>(requestInfo: ReturnType<typeof createRequestInfo<P>>) {
  const { callback_url: _, ...shape } = requestInfo.shape;
  return model('BatchRow', 'A row of a batch: a request, and your own id for it.', {
    ...shape,
    callback_url: httpUrl().nullish().meta({
      description: 'As in a single request; absent or null: the header Callback-Url.',
    }),
    reference: z.string().min(1).max(REFERENCE_LENGTH_MAX).nullish().meta({
      description: 'Your own id for the row, unique in the batch; its errors and its result repeat it.',
    }),
    service_date: z.string().nullish().meta({
      description: 'The day to ask the payer about, YYYY-MM-DD; absent or null: the header Service-Date.',
    }),
    needed_by: z.string().nullish().meta({
      description: 'When you need the result, as in RFC 3339; absent or null: the header Needed-By.',
    }),
    gender: z.string().nullish().meta({
      description: 'F, M or U, for payers that ask for it (`asks_gender`); absent or null: not given.',
    }),
  });
}

/** A batch to create over tRPC (`batches.create`); over REST the rows are the body, and `mode` is in the query. */
export function createCreateBatch<P extends PayerNames>(batchRow: ReturnType<typeof createBatchRow<P>>) {
  return model('CreateBatch', 'A batch of requests.', {
    mode: BatchMode.default('accept_valid').meta({
      description: 'What becomes of the valid rows when others are not; accept_valid when absent.',
    }),
    rows: list(batchRow).max(BATCH_LIST_ROWS_MAX).meta({ description: 'The rows, 500 at most.' }),
  });
}

const counted = (description: string) => wholeNumber().meta({ description });

/** Where the rows of a batch are: `received` is the sum of all others. */
export const BatchCounters = model('BatchCounters', 'Where the rows are.', {
  received: counted('All rows: the sum of the others.'),
  rejected: counted('Refused.'),
  waiting: counted('Waiting for a verifier.'),
  working: counted('With a verifier.'),
  held: counted('With an output to review.'),
  answered: counted('With a complete result.'),
  failed: counted('Ended as error_verifying.'),
  closed: counted('Closed without a result.'),
  erased: counted('Erased.'),
});
export type BatchCounters = z.infer<typeof BatchCounters>;

/** Names a batch. */
export const BatchRef = model('BatchRef', 'Names a batch.', {
  batch_id: z.string().meta({ description: 'The id of the batch, bat_….' }),
});
export type BatchRef = z.infer<typeof BatchRef>;

/** Rows of a batch that wait for one payer, since its API does not answer. */
export const BatchWait = model('BatchWait', 'Rows that wait for a payer.', {
  payer: z.string().meta({ description: "The payer's name." }),
  since: dateTime().meta({ description: 'Since when it has not answered.' }),
  waiting: wholeNumber().meta({ description: 'How many rows.' }),
});
export type BatchWait = z.infer<typeof BatchWait>;

const batch = {
  batch_id: z.string().meta({ description: 'The id of the batch, bat_….' }),
  label: z.string().nullable().meta({ description: 'The header Batch-Label; null without.' }),
  mode: BatchMode.meta({ description: 'What becomes of the valid rows when others are not.' }),
  state: BatchState.meta({ description: 'Where it is.' }),
  outcome: BatchOutcome.nullable().meta({
    description: 'How many of its rows were answered; null until it has ended.',
  }),
  received_at: dateTime().meta({ description: 'When its first row came.' }),
  ended_at: dateTime().nullable().meta({ description: 'When it ended; null before.' }),
  canceled_by: z
    .string()
    .nullable()
    .meta({ description: 'Who canceled it: a name, or a key’s id; null: it was not.' }),
  counters: BatchCounters.meta({ description: 'Where its rows are now.' }),
  waiting_for_payer: list(BatchWait).optional().meta({
    description: 'The payers that do not answer; absent without one.',
  }),
};

/** A batch and where its rows are (`batches.get`). */
export const Batch = model('Batch', 'A batch, and where its rows are.', batch);
export type Batch = z.infer<typeof Batch>;

/** A page of batches, newest first (`batches.list`). */
export const BatchList = model('BatchList', 'A page of batches, newest first.', {
  items: list(Batch).meta({ description: 'The batches of this page.' }),
  next_cursor: nextCursorField(),
});
export type BatchList = z.infer<typeof BatchList>;

/** The number of a row. */
const rowNumber = () =>
  wholeNumber().meta({
    description: 'Its number, from 1, without blank lines and a header row.',
  });

const reference = () =>
  z.string().nullable().meta({
    description: 'Your own id of the row; null without one.',
  });

/** A fault in one row of a batch. It never repeats the value that was sent. */
export const BatchRowError = model('BatchRowError', 'A fault in one row. It never repeats a value.', {
  row: rowNumber(),
  reference: reference(),
  loc: ValidationError.shape.loc,
  type: ValidationError.shape.type,
  msg: ValidationError.shape.msg,
});
export type BatchRowError = z.infer<typeof BatchRowError>;

const nextAfterField = () =>
  wholeNumber().nullable().meta({ description: 'The `after` of the next page; null on the last.' });

/** The faults of a batch's rows, in the order of the rows (`batches.errors`). */
export const BatchRowErrorList = model('BatchRowErrorList', 'Faults of rows, in the order of the rows.', {
  items: list(BatchRowError).meta({ description: 'All faults of the rows of this page.' }),
  next_after: nextAfterField(),
});
export type BatchRowErrorList = z.infer<typeof BatchRowErrorList>;

/** The answer to a batch (`batches.create`). */
export const ReceivedBatch = model('ReceivedBatch', 'A batch, and the faults of its rows.', {
  ...batch,
  errors: list(BatchRowError).meta({
    description: 'The first 1,000 faults, in the order of the rows; batches.errors has all.',
  }),
});
export type ReceivedBatch = z.infer<typeof ReceivedBatch>;

/**
 * What is known of a row. `active`, `inactive`: whether one of the coverages found is active. `not_answered`: no result
 * yet, or a complete one in which the payer says neither. `failed`: it ended as `error_verifying`, as a closed one does.
 */
export const BatchRowOutcome = enumeration('BatchRowOutcome', 'What is known of a row.', [
  'active',
  'inactive',
  'not_answered',
  'failed',
  'erased',
]);
export type BatchRowOutcome = z.infer<typeof BatchRowOutcome>;

/** By its name in types: written out, it makes a consumer's type of all models too long for TypeScript. */
const NamedBenefits: z.ZodType<RequestBenefits> = RequestBenefits;

/** An accepted row of a batch with its result (`batches.results`). */
export function createBatchResult<P extends PayerNames>(
  insurancePlanData: ReturnType<typeof createInsurancePlanData<P>>,
) {
  return model('BatchResult', 'An accepted row, with its result.', {
    row: rowNumber(),
    reference: reference(),
    request_id: z.string().nullable().meta({
      description:
        'The request of the row; null while an all_or_nothing batch is being accepted, and where it was canceled before.',
    }),
    outcome: BatchRowOutcome.meta({ description: 'What is known of the row.' }),
    result: list(insurancePlanData).nullable().meta({
      description: 'The coverages found, as in insurance_data of the webhook; null without a result.',
    }),
    error: z.string().nullable().meta({ description: 'The error_reason of a failed row; null for others.' }),
    benefits: NamedBenefits.nullable().meta({
      description: 'The benefits, as requests.benefits returns it; null without a result.',
    }),
  });
}

/** A page of results, in the order of the rows (`batches.results`). */
export function createBatchResultList<P extends PayerNames>(
  batchResult: ReturnType<typeof createBatchResult<P>>,
) {
  return model('BatchResultList', 'Accepted rows with their results, in the order of the rows.', {
    items: list(batchResult).meta({ description: 'The rows of this page.' }),
    next_after: nextAfterField(),
  });
}
