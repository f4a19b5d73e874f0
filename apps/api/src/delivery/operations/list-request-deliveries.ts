import { DeliveryList, RequestRef } from '@insurance-verification/schema';
import { listDeliveries as listStoredDeliveries } from '@insurance-verification/store';
import { exampleAttempts } from '../../examples/delivery.ts';
import { EXAMPLE_IDS } from '../../examples/ids.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { query } from '../../procedure/trpc.ts';

/** A request's deliveries with every attempt. */
export const listRequestDeliveries = () =>
  query({
    meta: {
      operation: 'requests.deliveries',
      openapi: {
        summary: 'List deliveries and attempts',
        description:
          'Tells how the results of a request come to its callback address: a delivery for each version, with every attempt, how it ended and the start of what the receiver answered. This is where to look when a webhook does not arrive.',
        tags: ['Delivery'],
      },
      limit: 'reads',
      problems: ['not_found'],
      answers: {
        second_attempt_succeeded: {
          items: [
            {
              delivery_id: EXAMPLE_IDS.delivery,
              version: 1,
              status: 'delivered',
              next_attempt_at: null,
              left_alone_since: null,
              attempts: exampleAttempts,
            },
          ],
        },
      },
    },
    input: RequestRef,
    output: DeliveryList,
    handler: async ({ ctx, input: { request_id: requestId } }) => {
      const listed = await listStoredDeliveries(ctx.app.store, { caller: ctx.caller, requestId });
      if (listed.kind !== 'found') return refuse(listed);
      ctx.call.concerns(requestId);
      return { items: listed.deliveries };
    },
  });
