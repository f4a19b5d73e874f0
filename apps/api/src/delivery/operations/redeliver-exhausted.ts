import { RedeliveredExhausted, RedeliverExhausted } from '@insurance-verification/schema';
import { redeliverExhausted as redeliverStoredExhausted } from '@insurance-verification/store';
import { mutation } from '../../procedure/trpc.ts';

/** Starts a new round of attempts for messages exhausted since a given time; an operator's call covers all accounts. */
export const redeliverExhausted = () =>
  mutation({
    meta: {
      operation: 'deliveries.redeliverExhausted',
      openapi: {
        summary: 'Deliver all exhausted results again',
        description:
          'For when a receiver was down: every result whose attempts were used up at `since` or later gets a new round of them, the one exhausted first going first. Call again while `more` is true.',
        tags: ['Delivery'],
      },
      changes: ['delivery'],
      limit: 'redeliver-exhausted',
      example: { since: '2026-11-20T00:00:00Z', limit: 1_000 },
      answers: { all: { redelivered: 42, more: false } },
    },
    input: RedeliverExhausted,
    output: RedeliveredExhausted,
    handler: async ({ ctx, input: { since, limit } }) => {
      const answer = await redeliverStoredExhausted(ctx.app.store, {
        caller: ctx.caller,
        since: new Date(since),
        limit,
      });
      if (answer.redelivered > 0) ctx.app.wakeDelivery();
      return answer;
    },
  });
