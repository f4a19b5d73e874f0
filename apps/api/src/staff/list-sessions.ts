import { ListPage, StaffSessionList } from '@insurance-verification/schema';
import { listSessions as listStoredSessions } from '@insurance-verification/store';
import { readCursor } from '../procedure/cursor.ts';
import { EXAMPLE_IDS } from '../procedure/example-ids.ts';
import { query } from '../procedure/trpc.ts';
import { exampleSession } from './example-staff.ts';

/** The sessions under way: an admin's list is of everyone's, anyone else's of their own. */
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
