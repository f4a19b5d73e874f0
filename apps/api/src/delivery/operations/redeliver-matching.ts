import { RedeliveredMatching, RedeliverMatching } from '@insurance-verification/schema';
import { redeliverMatching as redeliverStoredMatching } from '@insurance-verification/store';
import { mutation } from '../../procedure/trpc.ts';
import { countedFirst, toDeliveryFilter } from './to-delivery-filter.ts';

/** Counts messages that match; with the token of that count, starts a new round of attempts for those alone. */
export const redeliverMatching = () =>
  mutation({
    meta: {
      operation: 'deliveries.redeliverMatching',
      openapi: {
        summary: 'Deliver all matching results again',
        description:
          'Two calls with the same filters. With `dry_run` it counts the deliveries that match and answers a `token`; with that token each of them that still matches gets a new round of attempts, and no other, however often it is called. With scope `operate` it covers every account. Ask and call again while the dry run says `more`.',
        tags: ['Delivery'],
      },
      changes: ['delivery'],
      limit: 'redeliver-exhausted',
      example: {
        dry_run: true,
        status: 'exhausted',
        since: '2026-11-20T00:00:00Z',
        host: 'billing.example',
        limit: 1_000,
      },
      answers: {
        counted: { matching: 42, redelivered: 0, more: false, token: 'WyIyMDI2LTExLTIwIl0.c2lnbmVk' },
        under_way: { matching: 42, redelivered: 42, more: false, token: null },
      },
    },
    input: RedeliverMatching,
    output: RedeliveredMatching,
    handler: async ({ ctx, input }) => {
      const answer = await countedFirst(input, (token) =>
        redeliverStoredMatching(ctx.app.store, {
          ...toDeliveryFilter(input),
          caller: ctx.caller,
          status: input.status,
          since: new Date(input.since),
          limit: input.limit,
          token,
        }),
      );
      if (answer.redelivered > 0) ctx.app.wakeDelivery();
      return answer;
    },
  });
