import { type Delivery, DeliveryList, RequestRef } from '@insurance-verification/schema';
import { type DeliveryView, listDeliveries as listStoredDeliveries } from '@insurance-verification/store';
import { found } from '../found.ts';
import { query } from '../trpc.ts';

/** A request's deliveries with every attempt. */
export const listDeliveries = () =>
  query({
    meta: {
      openapi: {
        method: 'GET',
        path: '/requests/{request_id}/deliveries',
        summary: 'List deliveries and attempts',
        tags: ['Delivery'],
      },
      scopes: ['requests', 'operate'],
      limit: 'reads',
      problems: ['not_found'],
    },
    input: RequestRef,
    output: DeliveryList,
    handler: async ({ ctx, input: { request_id: requestId } }) => {
      const deliveries = found(await listStoredDeliveries(ctx.app.store, ctx.caller, requestId));
      ctx.call.concerns(requestId);
      return { items: deliveries.map(toDelivery) };
    },
  });

function toDelivery(delivery: DeliveryView): Delivery {
  return {
    delivery_id: delivery.deliveryId,
    version: delivery.version,
    status: delivery.status,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    attempts: delivery.attempts.map((attempt) => ({
      number: attempt.number,
      at: attempt.at.toISOString(),
      outcome: attempt.outcome,
      status_code: attempt.statusCode,
      duration_ms: attempt.durationMs,
      response_snippet: attempt.responseSnippet,
    })),
  };
}
