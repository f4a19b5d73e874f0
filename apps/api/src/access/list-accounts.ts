import { AccountList, ListPage } from '@insurance-verification/schema';
import { listAccounts as listStoredAccounts } from '@insurance-verification/store';
import { readCursor } from '../cursor.ts';
import { query } from '../trpc.ts';

/** Every account, newest first. */
export const listAccounts = () =>
  query({
    meta: {
      openapi: { method: 'GET', path: '/accounts', summary: 'List accounts, newest first', tags: ['Access'] },
      scopes: ['admin'],
      limit: 'reads',
    },
    input: ListPage,
    output: AccountList,
    handler: async ({ ctx, input: { limit, cursor } }) => {
      const options = { limit, cursor: readCursor('acct', cursor) };
      const { items, nextCursor } = await listStoredAccounts(ctx.app.store, ctx.caller, options);
      return { items, next_cursor: nextCursor };
    },
  });
