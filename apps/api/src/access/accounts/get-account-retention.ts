import { AccountRef, AccountRetention, AskAccountRetention } from '@insurance-verification/schema';
import { getAccountRetention as getStoredRetention } from '@insurance-verification/store';
import * as z from 'zod';
import { exampleRetention } from '../../examples/access.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { query } from '../../procedure/trpc.ts';

/** How long an account's requests keep their data, and how many would lose it with other days. */
export const getAccountRetention = () =>
  query({
    meta: {
      operation: 'accounts.retention',
      openapi: {
        summary: "Read an account's retention",
        description:
          'Tells after how many days the data of a finished request is erased, who changed that, and how many requests the days in the query would erase, counted up to 10,000: ask before you shorten it.',
        tags: ['Access'],
      },
      limit: 'reads',
      problems: ['not_found'],
      example: { days: 30 },
      answers: { shortened: exampleRetention },
    },
    input: z.object({ ...AccountRef.shape, ...AskAccountRetention.shape }),
    output: AccountRetention,
    handler: async ({ ctx, input: { account_id: accountId, days } }) => {
      const found = await getStoredRetention(ctx.app.store, { caller: ctx.caller, accountId, days });
      return found.kind === 'found' ? found.retention : refuse(found);
    },
  });
