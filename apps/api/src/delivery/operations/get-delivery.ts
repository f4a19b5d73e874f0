import { DeliveryDetail, DeliveryRef } from '@insurance-verification/schema';
import { getDelivery as getStoredDelivery } from '@insurance-verification/store';
import { exampleAttempts, exampleDelivery } from '../../examples/delivery.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { query } from '../../procedure/trpc.ts';

/** One delivery with every attempt. */
export const getDelivery = () =>
  query({
    meta: {
      operation: 'deliveries.get',
      openapi: {
        summary: 'Read a delivery',
        description:
          'Returns the delivery of one result to its callback address: its state, when the next attempt is due, and every attempt with how it ended and the start of what the receiver answered.',
        tags: ['Delivery'],
      },
      limit: 'reads',
      problems: ['not_found'],
      answers: { second_attempt_succeeded: { ...exampleDelivery, attempts: exampleAttempts } },
    },
    input: DeliveryRef,
    output: DeliveryDetail,
    handler: async ({ ctx, input: { delivery_id: deliveryId } }) => {
      const read = await getStoredDelivery(ctx.app.store, { caller: ctx.caller, deliveryId });
      if (read.kind !== 'found') return refuse(read);
      ctx.call.concerns(read.delivery.request_id);
      return read.delivery;
    },
  });
