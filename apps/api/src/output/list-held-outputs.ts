import { HeldOutputList, ListHeldOutputs } from '@insurance-verification/schema';
import { listHeldOutputs as listStoredHeldOutputs } from '@insurance-verification/store';
import { readCursor } from '../cursor.ts';
import { query } from '../trpc.ts';
import { toHeldOutput } from './to-held-output.ts';

/** What waits for an operator, of one reason or of all, newest first. */
export const listHeldOutputs = () =>
  query({
    meta: {
      openapi: {
        method: 'GET',
        path: '/held-outputs',
        summary: 'List held outputs, newest first',
        tags: ['Output'],
      },
      scopes: ['operate'],
      limit: 'reads',
    },
    input: ListHeldOutputs,
    output: HeldOutputList,
    handler: async ({ ctx, input: { limit, cursor, reason } }) => {
      const options = { limit, cursor: readCursor('held', cursor), reason };
      const { items, nextCursor } = await listStoredHeldOutputs(ctx.app.store, ctx.caller, options);
      return { items: items.map(toHeldOutput), next_cursor: nextCursor };
    },
  });
