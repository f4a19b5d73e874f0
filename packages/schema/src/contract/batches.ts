import * as z from 'zod';
import type { Schemas } from '../create-schemas.ts';
import { BATCH_COLUMNS } from '../intake/batch-columns.ts';
import {
  Batch,
  BatchList,
  BatchRef,
  BatchRowErrorList,
  BatchRowOutcome,
  ReceivedBatch,
} from '../intake/batch.ts';
import { model } from '../model.ts';
import { cursorField, limitField, ListPage } from '../page.ts';
import { exampleBenefits } from './examples/benefits.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { examplePlanData } from './examples/output.ts';
import { exampleRequest } from './examples/request.ts';
import { operation } from './operation.ts';

/** Which faults of a batch to list (`batches.errors`). */
export const ListBatchErrors = model('ListBatchErrors', 'Which faults of a batch to list.', {
  limit: limitField(),
  cursor: cursorField(),
});
/** {@link ListBatchErrors} as a type, after the default is filled in. */
export type ListBatchErrors = z.infer<typeof ListBatchErrors>;

/** Which results of a batch to list (`batches.results`). */
export const ListBatchResults = model('ListBatchResults', 'Which results of a batch to list.', {
  limit: limitField(),
  cursor: cursorField(),
  outcome: BatchRowOutcome.optional().meta({ description: 'Only rows of which this is known; absent: all.' }),
});
/** {@link ListBatchResults} as a type, after the default is filled in. */
export type ListBatchResults = z.infer<typeof ListBatchResults>;

/** A CSV file to begin with (`batches.template`). */
export const BatchTemplate = model('BatchTemplate', 'A CSV file to begin with.', {
  csv: z.string().meta({ description: 'The header row, and a row of the sandbox.' }),
});
export type BatchTemplate = z.infer<typeof BatchTemplate>;

const exampleBatch: Batch = {
  batch_id: EXAMPLE_IDS.batch,
  label: 'Visits of November 21',
  mode: 'accept_valid',
  state: 'running',
  outcome: null,
  received_at: '2026-11-20T09:30:00.000Z',
  ended_at: null,
  counters: {
    received: 1200,
    rejected: 3,
    waiting: 400,
    working: 12,
    held: 1,
    answered: 770,
    failed: 14,
    closed: 0,
    erased: 0,
  },
};

const exampleError = {
  row: 17,
  reference: 'visit-1017',
  loc: ['body', 'patient_info', 'subscriber_id'],
  type: 'missing',
  msg: 'Field required',
};

/** The operations of `batches`. */
export const batchesOperations = (schemas: Schemas) => ({
  // The same rows with the same key resume it, or return it again.
  create: operation('batches.create', {
    post: '/batches',
    scopes: ['requests'],
    audience: ['provider'],
    repeatable: true,
    takesIdempotencyKey: true,
    takesRows: true,
    status: 202,
    tag: 'Intake',
    summary: 'Create a batch of requests',
    description:
      'Send up to 100,000 rows and 64 MiB as `application/x-ndjson`, one `BatchRow` a line, or as `text/csv` with a header row (`batches.template`). Rows are stored as they come. `Idempotency-Key` is required: if the connection breaks, send the same file with the same key, and it goes on where it stopped. Another row at a place that was stored is a 422 that names the row. A row with a fault is rejected and not kept; the answer has the first 1,000 faults. With `mode=all_or_nothing` one rejected row rejects all. `Callback-Url`, `Service-Date` and `Needed-By` hold for rows that do not say otherwise; `Batch-Label` is a name for people, without patients’ data. Each row is verified and delivered like a single request; single requests of the account come first.',
    limit: 'intake',
    problems: ['idempotency_in_progress', 'batch_ended'],
    changes: ['request', 'work'],
    input: schemas.CreateBatch,
    output: ReceivedBatch,
    example: {
      mode: 'accept_valid',
      rows: [{ ...exampleRequest(schemas), reference: 'visit-1001', service_date: '2026-11-21' }],
    },
    answers: { running: { ...exampleBatch, errors: [exampleError] } },
  }),

  list: operation('batches.list', {
    get: '/batches',
    scopes: ['requests'],
    audience: ['provider'],
    tag: 'Intake',
    summary: 'List batches, newest first',
    description:
      'Returns a page of the account’s batches. Pass `next_cursor` to get the next page; it is null on the last.',
    limit: 'reads',
    input: ListPage,
    output: BatchList,
    example: { limit: 20, cursor: EXAMPLE_IDS.batch },
    answers: { page: { items: [exampleBatch], next_cursor: null } },
  }),

  template: operation('batches.template', {
    get: '/batches/template',
    scopes: ['requests'],
    audience: ['provider'],
    tag: 'Intake',
    summary: 'Read the columns of a CSV file',
    description:
      'Returns a CSV file with the header row and one row of the sandbox. The order of the columns does not matter, and optional ones may be left out. Procedure codes are separated by spaces.',
    limit: 'reads',
    output: BatchTemplate,
    answers: { header: { csv: `${BATCH_COLUMNS.join(',')}\r\n` } },
  }),

  get: operation('batches.get', {
    get: '/batches/{batch_id}',
    scopes: ['requests'],
    audience: ['provider'],
    isTagged: true,
    tag: 'Intake',
    summary: 'Read a batch',
    description:
      'Returns where the rows of a batch are: `received` is the sum of the other counters at every read. Until it has ended, `Retry-After` says when to read it again; with `If-None-Match` you get 304 if nothing changed. The event `batch.ended` saves the asking.',
    limit: 'reads',
    problems: ['not_found'],
    params: BatchRef,
    output: Batch,
    answers: {
      running: exampleBatch,
      ended: {
        ...exampleBatch,
        state: 'ended',
        outcome: 'some',
        ended_at: '2026-11-20T11:05:00.000Z',
        counters: { ...exampleBatch.counters, waiting: 0, working: 0, held: 0, answered: 1180, failed: 17 },
      },
    },
  }),

  errors: operation('batches.errors', {
    get: '/batches/{batch_id}/errors',
    scopes: ['requests'],
    audience: ['provider'],
    answersLines: true,
    tag: 'Intake',
    summary: 'List the faults of a batch’s rows',
    description:
      'Over REST it returns `application/x-ndjson`: one `BatchRowError` a line, in the order of the rows, and a last line `{"end":true,"rows":n}`. Without that line the answer was cut off: pass the last row that you have as `cursor`. Rejected rows are kept for 30 days.',
    limit: 'reads',
    problems: ['not_found'],
    params: BatchRef,
    input: ListBatchErrors,
    output: BatchRowErrorList,
    example: { limit: 20, cursor: '16' },
    answers: { page: { items: [exampleError], next_cursor: null } },
  }),

  results: operation('batches.results', {
    get: '/batches/{batch_id}/results',
    scopes: ['requests'],
    audience: ['provider'],
    recordsEachCall: true,
    answersLines: true,
    tag: 'Intake',
    summary: 'Read the results of a batch',
    description:
      'Over REST it returns `application/x-ndjson`: one `BatchResult` a line for each accepted row, in the order of the rows, and a last line `{"end":true,"rows":n}`; with `Accept: text/csv` a CSV file of the main values whose last row says the same. Without that line the answer was cut off: pass the last row that you have as `cursor`. Rows without a result are `not_answered`, so the results of a running batch can be read too.',
    limit: 'reads',
    problems: ['not_found'],
    params: BatchRef,
    input: ListBatchResults,
    output: schemas.BatchResultList,
    example: { limit: 20, cursor: '40', outcome: 'active' },
    answers: {
      page: {
        items: [
          {
            row: 41,
            reference: 'visit-1041',
            request_id: EXAMPLE_IDS.request,
            outcome: 'active',
            result: [examplePlanData(schemas)],
            error: null,
            benefits: exampleBenefits(schemas),
          },
        ],
        next_cursor: null,
      },
    },
  }),

  // Canceled again it is the same.
  cancel: operation('batches.cancel', {
    post: '/batches/{batch_id}/cancel',
    scopes: ['requests'],
    audience: ['provider'],
    repeatable: true,
    tag: 'Intake',
    summary: 'Cancel a batch',
    description:
      'Closes the rows that wait, with the reason `withdrawn`, which is delivered like any result; rows that a verifier works on are finished. The batch takes no more rows. Canceling it again changes nothing.',
    problems: ['not_found'],
    changes: ['request', 'work', 'delivery'],
    params: BatchRef,
    output: Batch,
    answers: { canceling: { ...exampleBatch, state: 'canceling' } },
  }),
});
