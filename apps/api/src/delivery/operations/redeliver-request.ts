import { RequestRef, type Schemas } from '@insurance-verification/schema';
import { redeliver } from '@insurance-verification/store';
import { exampleRequestModel } from '../../examples/request.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { mutation } from '../../procedure/trpc.ts';

/** Starts a new round of attempts for an exhausted or delivered message; leaves one under way alone. */
export const redeliverRequest = (schemas: Schemas) =>
  mutation({
    meta: {
      operation: 'requests.redeliver',
      openapi: {
        summary: 'Deliver the result again',
        description:
          'Starts a new round of attempts of the latest result: the same message, with the same `webhook-id` and the same bytes. While attempts are still due nothing changes.',
        tags: ['Delivery'],
      },
      changes: ['delivery'],
      problems: ['not_found', 'no_result', 'request_erased'],
      answers: { under_way: exampleRequestModel(schemas, { state: 'complete' }) },
    },
    input: RequestRef,
    output: schemas.RequestModel,
    handler: async ({ ctx, input: { request_id: requestId } }) => {
      const redelivered = await redeliver(ctx.app.store, { caller: ctx.caller, requestId });
      if (redelivered.kind !== 'not_found') ctx.call.concerns(requestId);
      switch (redelivered.kind) {
        case 'queued':
          ctx.app.wakeDelivery();
          return redelivered.request;
        case 'under_way':
          return redelivered.request;
        default:
          return refuse(redelivered);
      }
    },
  });
