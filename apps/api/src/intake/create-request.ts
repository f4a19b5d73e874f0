import type { Schemas } from '@insurance-verification/schema';
import { type NewRequest, replayRequest, type Store } from '@insurance-verification/store';
import { exampleRequest, exampleRequestModel } from '../examples/request.ts';
import { refuse } from '../procedure/problem/refuse.ts';
import { mutation } from '../procedure/trpc.ts';
import { faultOfCallback } from './callback-url.ts';
import { idempotencyKeyReused, readIdempotencyKey } from './idempotency.ts';

/** Stores a request and answers it as pending. With an `Idempotency-Key` a retry gets the first answer again. */
export const createRequest = (schemas: Schemas) =>
  mutation({
    meta: {
      operation: 'requests.create',
      openapi: {
        summary: 'Create a verification request',
        description:
          "Takes in a request to verify a patient's eligibility, and answers when it is stored. The result is posted to `callback_url` later, signed. With an `Idempotency-Key` a retry gets the first answer again and makes no second request. Members that nobody knows are ignored; a test account is told their names in `Ignored-Members`.",
        tags: ['Intake'],
      },
      limit: 'intake',
      problems: ['idempotency_in_progress', 'request_erased'],
      tellsIgnoredMembers: true,
      example: exampleRequest(schemas),
      answers: { pending: exampleRequestModel(schemas) },
    },
    input: schemas.RequestInfo,
    output: schemas.RequestModel,
    handler: async ({ ctx, input }) => {
      const { caller } = ctx;
      const fault = faultOfCallback(ctx, input.callback_url);
      const idempotencyKey = readIdempotencyKey(ctx.call.idempotencyKey);
      const payerId = ctx.app.config.payers.idOf(input.payer_info.name);
      const request = { caller, payerId, input, idempotencyKey };
      const inserted = await ctx.app.idempotencyGate.pass(caller, idempotencyKey, () =>
        fault === null ? ctx.app.insertRequest(request) : replayOr(fault, ctx.app.store, request),
      );
      if (inserted.kind === 'idempotency_key_reused') throw idempotencyKeyReused();
      if (inserted.kind === 'erased') return refuse(inserted);
      if (inserted.kind === 'replayed') ctx.call.setHeader('Idempotency-Replayed', 'true');
      else {
        ctx.app.metrics.requestsReceived.inc({ payer: payerId });
        ctx.app.wakeVerification();
      }
      ctx.call.concerns(inserted.request.request_id ?? '', { isFirst: inserted.kind === 'created' });
      return inserted.request;
    },
  });

/** A retry of what was stored once gets its first answer, though the same would be refused today. */
async function replayOr(fault: Error, store: Store, request: NewRequest) {
  const first = await replayRequest(store, request);
  if (first.kind === 'not_stored') throw fault;
  return first;
}
