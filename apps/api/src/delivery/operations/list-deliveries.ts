import { DeliverySummaryList, ListDeliveries } from '@insurance-verification/schema';
import { searchDeliveries } from '@insurance-verification/store';
import { exampleDelivery } from '../../examples/delivery.ts';
import { EXAMPLE_IDS } from '../../examples/ids.ts';
import { readCursor } from '../../procedure/cursor.ts';
import { query } from '../../procedure/trpc.ts';
import { toDeliveryFilter } from './to-delivery-filter.ts';

/** Deliveries of many requests; an operator's list covers all accounts. */
export const listDeliveries = () =>
  query({
    meta: {
      operation: 'deliveries.list',
      openapi: {
        summary: 'List deliveries',
        description:
          'Pages through deliveries and how their last attempts ended; with scope `operate` those of every account. Times are those at which a result was accepted. With filters that few deliveries meet, a page may be short or empty before the last: only a `next_cursor` of null says that it was the last.',
        tags: ['Delivery'],
      },
      limit: 'reads',
      example: {
        limit: 20,
        cursor: EXAMPLE_IDS.delivery,
        order: 'newest',
        status: 'exhausted',
        account_id: EXAMPLE_IDS.account,
        request_id: EXAMPLE_IDS.request,
        host: 'billing.example',
        outcome: 'http_error',
        status_code: 500,
        reason: 'webhook_exhausted',
        attempts_min: 2,
        since: '2026-11-20T00:00:00Z',
        until: '2026-11-21T00:00:00Z',
      },
      answers: { page: { items: [exampleDelivery], next_cursor: null } },
    },
    input: ListDeliveries,
    output: DeliverySummaryList,
    handler: async ({ ctx, input }) =>
      searchDeliveries(ctx.app.store, {
        ...toDeliveryFilter(input),
        caller: ctx.caller,
        limit: input.limit,
        cursor: readCursor('msg', input.cursor),
        order: input.order,
        status: input.status,
        since: input.since === undefined ? undefined : new Date(input.since),
      }),
  });
