import { AccountRef, AccountRetention, SetAccountRetention } from '@insurance-verification/schema';
import { setAccountRetention as setStoredRetention } from '@insurance-verification/store';
import * as z from 'zod';
import { exampleAskedRetention } from '../../examples/access.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { mutation } from '../../procedure/trpc.ts';

/** Sets after how many days an account's finished requests lose their data. */
export const setAccountRetention = () =>
  mutation({
    meta: {
      operation: 'accounts.setRetention',
      openapi: {
        summary: "Set an account's retention",
        description:
          'Sets after how many days the data of a finished request is erased, counted from the end of its delivery; null keeps it. A longer retention begins at once. A shorter one is only asked for: `asked` has it, until another person confirms it within 7 days (`accounts.confirmRetention`) or somebody sets another retention, the present one included, which takes it back. Ids, times, outcomes and the access log stay.',
        tags: ['Access'],
      },
      changes: ['access'],
      problems: ['not_found'],
      body: SetAccountRetention,
      example: { retention_days: 30 },
      answers: { asked: exampleAskedRetention },
    },
    input: z.object({ ...AccountRef.shape, ...SetAccountRetention.shape }),
    output: AccountRetention,
    handler: async ({ ctx, input: { account_id: accountId, retention_days: days } }) => {
      const set = await setStoredRetention(ctx.app.store, { caller: ctx.caller, accountId, days });
      return set.kind === 'found' ? set.retention : refuse(set);
    },
  });
