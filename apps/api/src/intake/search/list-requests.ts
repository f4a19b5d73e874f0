import { ListRequests, type Schemas } from '@insurance-verification/schema';
import { listRequests as listStoredRequests } from '@insurance-verification/store';
import { EXAMPLE_IDS } from '../../examples/ids.ts';
import { exampleRequestModel } from '../../examples/request.ts';
import { readCursor } from '../../procedure/cursor.ts';
import { query } from '../../procedure/trpc.ts';
import { logUnreadable } from './log-unreadable.ts';

/** The account's requests, newest first. */
export const listRequests = (schemas: Schemas) =>
  query({
    meta: {
      operation: 'requests.list',
      openapi: {
        summary: 'List requests, newest first',
        description:
          "Pages through the requests of the key's account, of one `state` where that is given. Ask for the next page with the `next_cursor` of the one before; null on the last page. Requests whose data was erased, at the end of the account's retention, are in `erased`.",
        tags: ['Intake'],
      },
      limit: 'reads',
      example: { limit: 20, cursor: EXAMPLE_IDS.request, state: 'pending' },
      answers: { page: { items: [exampleRequestModel(schemas)], erased: [], next_cursor: null } },
    },
    input: ListRequests,
    output: schemas.RequestList,
    handler: async ({ ctx, input: { cursor, ...filter } }) => {
      const { unreadableIds, ...page } = await listStoredRequests(ctx.app.store, {
        caller: ctx.caller,
        ...filter,
        cursor: readCursor('req', cursor),
      });
      logUnreadable(ctx, unreadableIds);
      return page;
    },
  });
