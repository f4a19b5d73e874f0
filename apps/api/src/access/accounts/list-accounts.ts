import { AccountList, ListPage } from '@insurance-verification/schema';
import { listAccounts as listStoredAccounts } from '@insurance-verification/store';
import { exampleAccount } from '../../examples/access.ts';
import { EXAMPLE_IDS } from '../../examples/ids.ts';
import { readCursor } from '../../procedure/cursor.ts';
import { query } from '../../procedure/trpc.ts';

/** Every account, newest first. */
export const listAccounts = () =>
  query({
    meta: {
      operation: 'accounts.list',
      openapi: {
        summary: 'List accounts, newest first',
        description:
          'Pages through all accounts. Ask for the next page with the `next_cursor` of the one before; null on the last page.',
        tags: ['Access'],
      },
      limit: 'reads',
      example: { limit: 20, cursor: EXAMPLE_IDS.account },
      answers: { page: { items: [exampleAccount], next_cursor: null } },
    },
    input: ListPage,
    output: AccountList,
    handler: async ({ ctx, input: { limit, cursor } }) => {
      const page = { limit, cursor: readCursor('acct', cursor) };
      return listStoredAccounts(ctx.app.store, { caller: ctx.caller, ...page });
    },
  });
