import { ListPage, StaffSessionList } from '@insurance-verification/schema';
import { listSessions as listStoredSessions } from '@insurance-verification/store';
import { EXAMPLE_IDS } from '../examples/ids.ts';
import { exampleSession } from '../examples/staff.ts';
import { readCursor } from '../procedure/cursor.ts';
import { query } from '../procedure/trpc.ts';

/** Sessions under way: everyone's for an admin, their own for anyone else. */
export const listSessions = () =>
  query({
    meta: {
      operation: 'sessions.list',
      openapi: {
        summary: 'List sessions, newest first',
        description:
          "Pages through the sessions that are under way: with `admin` everyone's, else the caller's own. A key has none.",
        tags: ['Access'],
      },
      limit: 'reads',
      example: { limit: 20, cursor: EXAMPLE_IDS.session },
      answers: { page: { items: [exampleSession], next_cursor: null } },
    },
    input: ListPage,
    output: StaffSessionList,
    handler: async ({ ctx: { app, caller }, input: { limit, cursor } }) =>
      listStoredSessions(app.store, {
        caller,
        everyones: caller.scopes.includes('admin'),
        limit,
        cursor: readCursor('ses', cursor),
      }),
  });
