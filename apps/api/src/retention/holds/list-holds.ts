import { LegalHoldList, ListPage } from '@insurance-verification/schema';
import { listHolds as listStoredHolds } from '@insurance-verification/store';
import { EXAMPLE_IDS } from '../../examples/ids.ts';
import { exampleHold } from '../../examples/retention.ts';
import { readCursor } from '../../procedure/cursor.ts';
import { query } from '../../procedure/trpc.ts';

/** The legal holds that stand, and those that were ended. */
export const listHolds = () =>
  query({
    meta: {
      operation: 'holds.list',
      openapi: {
        summary: 'List legal holds, newest first',
        description:
          'Pages through the legal holds, also those that were ended: what each covers, why, who placed it and since when. Ask for the next page with the `next_cursor` of the one before; null on the last page.',
        tags: ['Privacy'],
      },
      limit: 'reads',
      example: { limit: 20, cursor: EXAMPLE_IDS.hold },
      answers: { page: { items: [exampleHold], next_cursor: null } },
    },
    input: ListPage,
    output: LegalHoldList,
    handler: ({ ctx, input: { limit, cursor } }) =>
      listStoredHolds(ctx.app.store, { caller: ctx.caller, limit, cursor: readCursor('hold', cursor) }),
  });
