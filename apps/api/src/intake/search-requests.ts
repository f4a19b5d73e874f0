import { SearchRequests, type Schemas } from '@insurance-verification/schema';
import { searchRequests as searchStoredRequests } from '@insurance-verification/store';
import { readCursor } from '../procedure/cursor.ts';
import { EXAMPLE_IDS } from '../procedure/example-ids.ts';
import { query } from '../procedure/trpc.ts';
import { exampleRequestModel } from './example-request.ts';
import { tellUnreadable } from './tell-unreadable.ts';

/** Requests of all accounts, by an id or a key that somebody asks an operator about. */
export const searchRequests = (schemas: Schemas) =>
  query({
    meta: {
      operation: 'requests.search',
      openapi: {
        summary: 'Search the requests of every account',
        description:
          'Finds requests by `request_id`, by the `idempotency_key` that they were created with, or by both, whosever they are; without either it finds nothing. Keys are remembered for 24 hours at least, then a request is found by its id alone. Every request that is shown is in the access log.',
        tags: ['Intake'],
      },
      limit: 'reads',
      example: {
        request_id: EXAMPLE_IDS.request,
        idempotency_key: 'visit-1181',
        account_id: EXAMPLE_IDS.account,
        limit: 20,
        cursor: EXAMPLE_IDS.request,
      },
      answers: {
        found: {
          items: [{ account_id: EXAMPLE_IDS.account, request: exampleRequestModel(schemas) }],
          next_cursor: null,
        },
        nothing: { items: [], next_cursor: null },
      },
    },
    input: SearchRequests,
    output: schemas.FoundRequestList,
    handler: async ({ ctx, input }) => {
      const { items, next_cursor, unreadableIds } = await searchStoredRequests(ctx.app.store, {
        caller: ctx.caller,
        requestId: input.request_id,
        idempotencyKey: input.idempotency_key,
        accountId: input.account_id,
        limit: input.limit,
        cursor: readCursor('req', input.cursor),
      });
      tellUnreadable(ctx, unreadableIds);
      return { items: [...items], next_cursor };
    },
  });
