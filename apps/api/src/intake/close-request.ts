import { CloseRequest, RequestRef, type Schemas } from '@insurance-verification/schema';
import { closeRequest as closeStoredRequest } from '@insurance-verification/store';
import * as z from 'zod';
import { exampleRequestModel } from '../examples/request.ts';
import { refuse } from '../procedure/problem/refuse.ts';
import { mutation } from '../procedure/trpc.ts';

/** Ends an unfinished request as error_verifying, delivered like any result. */
export const closeRequest = (schemas: Schemas) =>
  mutation({
    meta: {
      operation: 'requests.close',
      openapi: {
        summary: 'Close a request without a result',
        description:
          'Ends a request that has no outcome yet: as `error_verifying` with the given reason, delivered to its callback address like any result. `withdrawn` is the reason where the provider no longer wants to know.',
        tags: ['Intake'],
      },
      changes: ['request', 'work', 'delivery'],
      problems: ['not_found', 'request_finished', 'request_erased'],
      body: CloseRequest,
      example: { reason: 'withdrawn' },
      answers: {
        withdrawn: exampleRequestModel(schemas, { state: 'error_verifying', error_reason: 'withdrawn' }),
      },
    },
    input: z.object({ ...RequestRef.shape, ...CloseRequest.shape }),
    output: schemas.RequestModel,
    handler: async ({ ctx, input: { request_id: requestId, reason } }) => {
      const closed = await closeStoredRequest(ctx.app.store, { caller: ctx.caller, requestId, reason });
      if (closed.kind !== 'not_found') ctx.call.concerns(requestId);
      if (closed.kind !== 'closed') return refuse(closed);
      ctx.app.wakeDelivery();
      return closed.request;
    },
  });
