import { ListPage, StaffList } from '@insurance-verification/schema';
import { listStaff as listStoredStaff } from '@insurance-verification/store';
import { EXAMPLE_IDS } from '../examples/ids.ts';
import { exampleStaff } from '../examples/staff.ts';
import { readCursor } from '../procedure/cursor.ts';
import { query } from '../procedure/trpc.ts';

/** Everyone who signs in, or once did, newest first. */
export const listStaff = () =>
  query({
    meta: {
      operation: 'staff.list',
      openapi: {
        summary: 'List people, newest first',
        description: 'Pages through everyone who signs in to the console, those who have left among them.',
        tags: ['Access'],
      },
      limit: 'reads',
      example: { limit: 20, cursor: EXAMPLE_IDS.staff },
      answers: { page: { items: [exampleStaff], next_cursor: null } },
    },
    input: ListPage,
    output: StaffList,
    handler: async ({ ctx, input: { limit, cursor } }) => {
      const page = { limit, cursor: readCursor('stf', cursor) };
      return listStoredStaff(ctx.app.store, { caller: ctx.caller, ...page });
    },
  });
