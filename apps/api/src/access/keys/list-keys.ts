import { ApiKeyList, ListKeys } from '@insurance-verification/schema';
import { listApiKeys } from '@insurance-verification/store';
import { exampleKey } from '../../examples/access.ts';
import { EXAMPLE_IDS } from '../../examples/ids.ts';
import { readCursor } from '../../procedure/cursor.ts';
import { query } from '../../procedure/trpc.ts';

/** Every account's keys, revoked ones too, newest first. */
export const listKeys = () =>
  query({
    meta: {
      operation: 'keys.list',
      openapi: {
        summary: 'List API keys, newest first',
        description:
          "Pages through the keys of all accounts, revoked and expired ones among them; with `creator=left` only those that still work and were made by a person who has left. No answer holds a key's text.",
        tags: ['Access'],
      },
      limit: 'reads',
      example: { limit: 20, cursor: EXAMPLE_IDS.key, creator: 'left' },
      answers: { page: { items: [exampleKey], next_cursor: null } },
    },
    input: ListKeys,
    output: ApiKeyList,
    handler: async ({ ctx, input: { limit, cursor, creator } }) => {
      const page = { limit, cursor: readCursor('key', cursor) };
      return listApiKeys(ctx.app.store, { caller: ctx.caller, onlyOfLeft: creator === 'left', ...page });
    },
  });
