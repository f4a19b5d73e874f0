import { RedeliveredExhausted, RedeliverExhausted } from '@insurance-verification/schema';
import { redeliverExhausted as redeliverStoredExhausted } from '@insurance-verification/store';
import { mutation } from '../../procedure/trpc.ts';
import { countedFirst } from './to-delivery-filter.ts';

/** Counts messages exhausted since a given time, or has those sent again; an operator's call covers all accounts. */
export const redeliverExhausted = () =>
  mutation({
    meta: {
      operation: 'deliveries.redeliverExhausted',
      openapi: {
        summary: 'Deliver all exhausted results again',
        description:
          'For when a receiver was down. Two calls with the same `since` and `host`: with `dry_run` it counts the results whose attempts were used up at `since` or later, and answers a `token`; with that token each of them gets a new round of attempts, the one exhausted first going first, and no other. Ask and call again while the dry run says `more`.',
        tags: ['Delivery'],
      },
      changes: ['delivery'],
      limit: 'redeliver-exhausted',
      example: { dry_run: true, since: '2026-11-20T00:00:00Z', host: 'billing.example', limit: 1_000 },
      answers: {
        counted: { matching: 42, redelivered: 0, more: false, token: 'WyIyMDI2LTExLTIwIl0.c2lnbmVk' },
        under_way: { matching: 42, redelivered: 42, more: false, token: null },
      },
    },
    input: RedeliverExhausted,
    output: RedeliveredExhausted,
    handler: async ({ ctx, input }) => {
      const answer = await countedFirst(input, (token) =>
        redeliverStoredExhausted(ctx.app.store, {
          caller: ctx.caller,
          since: new Date(input.since),
          host: input.host,
          limit: input.limit,
          token,
        }),
      );
      if (answer.redelivered > 0) ctx.app.wakeDelivery();
      return answer;
    },
  });
