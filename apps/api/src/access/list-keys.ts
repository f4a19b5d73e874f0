import { ApiKeyList, ListPage } from '@insurance-verification/schema';
import { listApiKeys } from '@insurance-verification/store';
import { readCursor } from '../cursor.ts';
import { query } from '../trpc.ts';

/** Every account's keys, revoked ones too, newest first. */
export const listKeys = () =>
  query({
    meta: {
      openapi: { method: 'GET', path: '/keys', summary: 'List API keys, newest first', tags: ['Access'] },
      scopes: ['admin'],
      limit: 'reads',
    },
    input: ListPage,
    output: ApiKeyList,
    handler: async ({ ctx, input: { limit, cursor } }) => {
      const options = { limit, cursor: readCursor('key', cursor) };
      const { items, nextCursor } = await listApiKeys(ctx.app.store, ctx.caller, options);
      return { items, next_cursor: nextCursor };
    },
  });
