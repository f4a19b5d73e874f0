import { AccountList, ListPage } from '@insurance-verification/schema';
import { listAccounts as listStoredAccounts } from '@insurance-verification/store';
import { readCursor } from '../cursor.ts';
import { answers, procedure } from '../trpc.ts';

/** Every account, newest first. */
export const listAccounts = () =>
  procedure
    .meta({
      openapi: { method: 'GET', path: '/accounts', summary: 'List accounts, newest first', tags: ['Access'] },
      scopes: ['operate'],
    })
    .input(ListPage)
    .output(answers(AccountList))
    .query(async ({ ctx, input: { limit, cursor } }) => {
      const options = { limit, cursor: readCursor('acct', cursor) };
      const { items, nextCursor } = await listStoredAccounts(ctx.app.store, ctx.caller, options);
      return { items, next_cursor: nextCursor };
    });
