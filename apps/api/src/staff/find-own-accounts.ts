import { AccountList, FindAccounts } from '@insurance-verification/schema';
import { findOwnAccounts as findStoredAccounts } from '@insurance-verification/store';
import { exampleAccount } from '../examples/access.ts';
import { EXAMPLE_IDS } from '../examples/ids.ts';
import { readCursor } from '../procedure/cursor.ts';
import { query } from '../procedure/trpc.ts';

/** The accounts that a person may act for. */
export const findOwnAccounts = () =>
  query({
    meta: {
      operation: 'sessions.accounts',
      openapi: {
        summary: 'List the accounts that one may act for',
        description:
          'Pages through the accounts that the person who is signed in may act for: their own, or for a person of the platform every one that is not suspended. Operators and auditors find by it whose rows they want to see. The header `Account-Id` of a call names one of them; without it a person of the platform acts for `default`.',
        tags: ['Access'],
      },
      limit: 'reads',
      example: { limit: 20, cursor: EXAMPLE_IDS.account, name: 'dental' },
      answers: { page: { items: [exampleAccount], next_cursor: null } },
    },
    input: FindAccounts,
    output: AccountList,
    handler: async ({ ctx, input: { limit, cursor, name } }) =>
      findStoredAccounts(ctx.app.store, {
        caller: ctx.caller,
        limit,
        cursor: readCursor('acct', cursor),
        name,
      }),
  });
