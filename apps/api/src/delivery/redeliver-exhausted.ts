import { RedeliveredExhausted, RedeliverExhausted } from '@insurance-verification/schema';
import { redeliverExhausted as redeliverStoredExhausted } from '@insurance-verification/store';
import { mutation } from '../trpc.ts';

/** Starts a new round of attempts of every message exhausted since a time; an operator's call is for every account. */
export const redeliverExhausted = () =>
  mutation({
    meta: {
      openapi: {
        method: 'POST',
        path: '/deliveries/redeliver-exhausted',
        summary: 'Deliver all exhausted results again',
        tags: ['Delivery'],
      },
      scopes: ['requests', 'operate'],
      limit: 'redeliver-exhausted',
    },
    input: RedeliverExhausted,
    output: RedeliveredExhausted,
    handler: async ({ ctx, input: { since, limit } }) => {
      const { redeliveredCount, more } = await redeliverStoredExhausted(ctx.app.store, {
        caller: ctx.caller,
        since: new Date(since),
        limit,
      });
      if (redeliveredCount > 0) ctx.app.wakeDelivery();
      return { redelivered: redeliveredCount, more };
    },
  });
