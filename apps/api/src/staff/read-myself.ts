import { Myself } from '@insurance-verification/schema';
import { DEFAULT_ACCOUNT_ID } from '@insurance-verification/store';
import { EXAMPLE_IDS } from '../examples/ids.ts';
import { exampleSession, exampleStaff } from '../examples/staff.ts';
import { query } from '../procedure/trpc.ts';
import { toMyself } from './to-myself.ts';

/** The caller, and what it may do. */
export const readMyself = () =>
  query({
    meta: {
      operation: 'sessions.me',
      openapi: {
        summary: 'Say who asks',
        description:
          'Tells who the caller is, what it may do and, of a person who is signed in, when the session ends.',
        tags: ['Access'],
      },
      limit: 'reads',
      answers: {
        person: {
          id: EXAMPLE_IDS.staff,
          name: exampleStaff.name,
          roles: exampleStaff.roles,
          scopes: ['verify'],
          read_scopes: [],
          account_id: DEFAULT_ACCOUNT_ID,
          session: {
            session_id: EXAMPLE_IDS.session,
            account_name: 'default',
            may_switch: true,
            idle_ends_at: exampleSession.idle_ends_at,
            ends_at: exampleSession.ends_at,
            emergency_until: null,
            fresh_until: '2026-11-20T10:17:00.000Z',
          },
        },
        key: {
          id: EXAMPLE_IDS.key,
          name: null,
          roles: [],
          scopes: ['requests'],
          read_scopes: [],
          account_id: EXAMPLE_IDS.account,
          session: null,
        },
      },
    },
    output: Myself,
    handler: async ({ ctx }) => toMyself(ctx.caller),
  });
