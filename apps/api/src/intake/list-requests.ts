import { ListRequests, type Schemas } from '@insurance-verification/schema';
import { listRequests as listStoredRequests } from '@insurance-verification/store';
import { readCursor } from '../cursor.ts';
import { query } from '../trpc.ts';

/** The account's requests, newest first. */
export const listRequests = ({ RequestList }: Schemas) =>
  query({
    meta: {
      openapi: {
        method: 'GET',
        path: '/requests/',
        summary: 'List requests, newest first',
        tags: ['Intake'],
      },
      scopes: ['requests'],
      limit: 'reads',
    },
    input: ListRequests,
    output: RequestList,
    handler: async ({ ctx, input: { cursor, ...filter } }) => {
      const options = { ...filter, cursor: readCursor('req', cursor) };
      const { items, nextCursor, unreadableIds } = await listStoredRequests(
        ctx.app.store,
        ctx.caller,
        options,
      );
      for (const request_id of unreadableIds) {
        ctx.app.metrics.requestsUnreadable.inc();
        ctx.app.log.error(
          { trace: ctx.call.trace, request_id },
          'a request does not open; the list goes on without it',
        );
      }
      return { items, next_cursor: nextCursor };
    },
  });
