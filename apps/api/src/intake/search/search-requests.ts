import { RequestSummaryList, SearchRequests } from '@insurance-verification/schema';
import { searchRequests as searchStoredRequests } from '@insurance-verification/store';
import { EXAMPLE_IDS } from '../../examples/ids.ts';
import { exampleSummary } from '../../examples/view.ts';
import { readCursor } from '../../procedure/cursor.ts';
import { mutation } from '../../procedure/trpc.ts';
import { logUnreadable } from './log-unreadable.ts';

/** Requests by what somebody asks about, or by how they stand, each with its patient's initials and its answer. */
export const searchRequests = () =>
  mutation({
    meta: {
      operation: 'requests.search',
      openapi: {
        summary: 'Search requests',
        description:
          'Finds requests that match every given criterion: by `request_id`, by the `idempotency_key` that they were created with (remembered for 24 hours at least), by the whole `subscriber_id`, by the `npi` of the provider, or by how they stand. It is a POST because a member id must not stand in an address. Operators search every account, others their own. Of a patient it has the initials; each request found is in the access log. A page may be short before the last, where few requests meet the criteria or their data is large.',
        tags: ['Intake'],
      },
      changes: [],
      limit: 'reads',
      example: { subscriber_id: 'W123456789', account_id: EXAMPLE_IDS.account, limit: 20, order: 'newest' },
      answers: {
        found: { items: [exampleSummary], next_cursor: null },
        nothing: { items: [], next_cursor: null },
      },
    },
    input: SearchRequests,
    output: RequestSummaryList,
    handler: async ({ ctx, input }) => {
      const { since, until } = input;
      const { items, next_cursor, unreadableIds } = await searchStoredRequests(ctx.app.store, {
        caller: ctx.caller,
        routes: ctx.app.config.payers.routes,
        requestId: input.request_id,
        idempotencyKey: input.idempotency_key,
        memberId: input.subscriber_id,
        npi: input.npi,
        accountId: input.account_id,
        payerId: input.payer_id,
        state: input.state,
        errorReason: input.error_reason,
        channel: input.channel,
        late: input.late,
        since: since === undefined ? undefined : new Date(since),
        until: until === undefined ? undefined : new Date(until),
        limit: input.limit,
        cursor: readCursor('req', input.cursor),
        order: input.order,
      });
      logUnreadable(ctx, unreadableIds);
      return { items, next_cursor };
    },
  });
