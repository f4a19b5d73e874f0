import { ErasureList, ListPage } from '@insurance-verification/schema';
import { listErasures as listStoredErasures } from '@insurance-verification/store';
import { EXAMPLE_IDS } from '../../examples/ids.ts';
import { exampleAsked, exampleErasure } from '../../examples/retention.ts';
import { readCursor } from '../../procedure/cursor.ts';
import { query } from '../../procedure/trpc.ts';

/** The erasures that wait for a second person, and those that are done with their certificates. */
export const listErasures = () =>
  query({
    meta: {
      operation: 'erasures.list',
      openapi: {
        summary: 'List erasures, newest first',
        description:
          'Pages through the erasures that were asked for and can be confirmed, and those that are done, with their certificates. Ask for the next page with the `next_cursor` of the one before; null on the last page.',
        tags: ['Privacy'],
      },
      limit: 'reads',
      example: { limit: 20, cursor: EXAMPLE_IDS.erasure },
      answers: {
        page: {
          items: [
            { ...exampleAsked, may_confirm: true },
            { ...exampleErasure, may_confirm: false },
          ],
          next_cursor: null,
        },
      },
    },
    input: ListPage,
    output: ErasureList,
    handler: ({ ctx, input: { limit, cursor } }) =>
      listStoredErasures(ctx.app.store, { caller: ctx.caller, limit, cursor: readCursor('ers', cursor) }),
  });
