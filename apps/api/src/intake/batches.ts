import {
  BATCH_COLUMNS,
  batchExampleRow,
  type BatchRowError,
  type BatchRowOutcome,
} from '@insurance-verification/schema';
import {
  type BatchRowResult,
  cancelBatch,
  getBatch,
  listBatches,
  listBatchErrors,
  listBatchResults,
  type LiveKey,
} from '@insurance-verification/store';
import papaparse from 'papaparse';
import { toRequestBenefits } from '../benefits/benefits.ts';
import type { Context } from '../procedure/context/app.ts';
import { readCursor } from '../procedure/cursor.ts';
import type { Handlers } from '../procedure/procedure.ts';
import { refuse } from '../procedure/refuse.ts';
import { readBatchHead, receiveBatch } from './receive-batch.ts';

/** Faults that the answer to a batch has. */
const ERROR_COUNT_MAX = 1_000;

/** Seconds after which reading a batch again is worth it. */
const ASK_AGAIN_SECONDS = 5;

/** Batches: many requests in one call. */
export const batches: Handlers<'batches'> = {
  create: async ({ ctx, input: { mode, rows } }) => {
    const { app, call, caller } = ctx;
    const head = readBatchHead(call, new Date());
    const sent = call.sentRows ?? { format: 'list', read: () => listed(rows) };
    const { batchId, isReplay } = await receiveBatch({ app, call }, { caller, mode, ...head, ...sent });
    if (isReplay) call.setHeader('Idempotency-Replayed', 'true');
    app.wakeVerification();
    const batch = await readBatch({ app, call, caller }, batchId);
    return { ...batch, errors: await readFirstErrors({ app, call, caller }, batchId) };
  },

  list: ({ ctx, input: { limit, cursor } }) =>
    listBatches(ctx.app.store, {
      caller: ctx.caller,
      routes: ctx.app.config.payers.routes,
      limit,
      cursor: readCursor('bat', cursor),
    }),

  template: async ({ ctx }) => {
    const [payer] = ctx.app.config.payers.names;
    const row = batchExampleRow(payer);
    const csv = papaparse.unparse([BATCH_COLUMNS, BATCH_COLUMNS.map((column) => row[column] ?? '')]);
    return { csv: `${csv}\r\n` };
  },

  get: async ({ ctx, input: { batch_id: batchId } }) => {
    const batch = await readBatch(ctx, batchId);
    if (batch.state !== 'ended') ctx.call.setHeader('Retry-After', String(ASK_AGAIN_SECONDS));
    return batch;
  },

  errors: async ({ ctx, input: { batch_id: batchId, limit, after } }) => {
    const found = await listBatchErrors(ctx.app.store, {
      caller: ctx.caller,
      batchId,
      limit,
      after,
    });
    if (found.kind !== 'found') return refuse(found);
    return { items: found.items, next_after: found.next };
  },

  results: async ({ ctx, input: { batch_id: batchId, limit, after, outcome } }) => {
    const found = await listBatchResults(ctx.app.store, {
      caller: ctx.caller,
      batchId,
      limit,
      after,
    });
    if (found.kind !== 'found') return refuse(found);
    const items = found.items.map(toBatchResult);
    return {
      items: outcome === undefined ? items : items.filter((one) => one.outcome === outcome),
      next_after: found.next,
    };
  },

  cancel: async ({ ctx, input: { batch_id: batchId } }) => {
    const canceled = await cancelBatch(ctx.app.store, { caller: ctx.caller, batchId });
    if (canceled.kind !== 'canceled') return refuse(canceled);
    return readBatch(ctx, batchId);
  },
};

/** The rows of a tRPC call, as those of a file. */
const listed = (rows: readonly unknown[]) =>
  rows.map((value, index) => ({ row: index + 1, text: JSON.stringify(value) ?? '', value, fault: null }));

type OwnContext = Context & { readonly caller: LiveKey };

async function readBatch({ app, caller }: OwnContext, batchId: string) {
  const found = await getBatch(app.store, { caller, batchId, routes: app.config.payers.routes });
  return found.kind === 'found' ? found.batch : refuse(found);
}

async function readFirstErrors({ app, caller }: OwnContext, batchId: string): Promise<BatchRowError[]> {
  const found = await listBatchErrors(app.store, {
    caller,
    batchId,
    limit: ERROR_COUNT_MAX,
    after: undefined,
  });
  return found.kind === 'found' ? found.items.slice(0, ERROR_COUNT_MAX) : refuse(found);
}

function toBatchResult({ row, reference, requestId, state, error, result }: BatchRowResult) {
  const said = { row, reference, request_id: requestId, error };
  if (!result || requestId === null)
    return { ...said, outcome: OUTCOMES[state], result: null, benefits: null };
  return {
    ...said,
    outcome: outcomeOf(result.insuranceData),
    result: result.insuranceData,
    benefits: toRequestBenefits({ requestId, ...result }),
  };
}

const OUTCOMES = {
  unanswered: 'not_answered',
  complete: 'not_answered',
  failed: 'failed',
  erased: 'erased',
} as const satisfies Record<BatchRowResult['state'], BatchRowOutcome>;

/** Active when one coverage is; inactive when none is, and the payer says of one that it is not. */
function outcomeOf(insuranceData: NonNullable<BatchRowResult['result']>['insuranceData']): BatchRowOutcome {
  const statuses = insuranceData.map(({ plan_info: plan }) => plan.eligibility_status);
  if (statuses.includes('Active')) return 'active';
  return statuses.includes('Inactive') ? 'inactive' : 'not_answered';
}
