import * as z from 'zod';
import type { Schemas } from '../create-schemas.ts';
import { BATCH_COLUMNS } from '../intake/batch-columns.ts';
import {
  Batch,
  BatchList,
  BatchRef,
  BatchRowErrorList,
  BatchRowOutcome,
  BATCH_ROWS_MAX,
  ReceivedBatch,
} from '../intake/batch.ts';
import { model } from '../model.ts';
import { limitField, ListPage } from '../page.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { exampleRequest } from './examples/request.ts';
import { operation } from './operation.ts';

const afterField = () =>
  z.int().min(0).max(BATCH_ROWS_MAX).optional().meta({ description: 'Only rows after this one.' });

/** Which faults of a batch to list (`batches.errors`). */
export const ListBatchErrors = model('ListBatchErrors', 'Which faults of a batch to list.', {
  limit: limitField(),
  after: afterField(),
});
/** {@link ListBatchErrors} as a type, after the default is filled in. */
export type ListBatchErrors = z.infer<typeof ListBatchErrors>;

/** Which results of a batch to list (`batches.results`). */
export const ListBatchResults = model('ListBatchResults', 'Which results of a batch to list.', {
  limit: limitField(),
  after: afterField(),
  outcome: BatchRowOutcome.optional().meta({ description: 'Only rows with this outcome; absent: all.' }),
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
  canceled_by: null,
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
      'Send up to 100,000 rows and 64 MiB; [the page of batches](/docs/batches) has all. Rows are stored as they come: the same file with the same `Idempotency-Key` resumes it, and another row at a stored place is a 422 that names it. An answer that ends it early has `batch_id` and `rows_stored`: send the mended file with the same key. A row with a fault is rejected; with `mode=all_or_nothing` it rejects all. The others are like single requests.',
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
      'Returns a header row and one row of the sandbox. Columns may be in any order; procedure codes are separated by spaces.',
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
      'Returns where the rows of a batch are now. `Retry-After` says when to read it again; it is absent once the batch has ended, which the event `batch.ended` reports too.',
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
      'Returns a line for each fault, in the order of the rows, and a last line `{"end":true,"rows":n}`. Without that line the answer was cut off: pass the row before the last one as `after`. Faults are kept for 30 days.',
    limit: 'reads',
    problems: ['not_found'],
    params: BatchRef,
    input: ListBatchErrors,
    output: BatchRowErrorList,
    example: { limit: 20, after: 16 },
    answers: { page: { items: [exampleError], next_after: null } },
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
      'Returns a line for each accepted row, as `batches.errors` does, also while the batch runs: the row, its `outcome`, and the result and the benefits as their own operations return them. With `Accept: text/csv` it is a table of the main values.',
    limit: 'reads',
    problems: ['not_found'],
    params: BatchRef,
    input: ListBatchResults,
    output: schemas.BatchResultList,
    example: { limit: 20, after: 40, outcome: 'failed' },
    answers: {
      page: {
        items: [
          {
            row: 41,
            reference: 'visit-1041',
            request_id: EXAMPLE_IDS.request,
            outcome: 'failed',
            result: null,
            error: 'member_not_found',
            benefits: null,
          },
        ],
        next_after: null,
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
      'Closes the rows that wait, with the reason `withdrawn`, which is delivered like any result; rows that a verifier works on are finished. The batch takes no more rows.',
    problems: ['not_found'],
    changes: ['request', 'work', 'delivery'],
    params: BatchRef,
    output: Batch,
    answers: { canceling: { ...exampleBatch, state: 'canceling' } },
  }),
});
