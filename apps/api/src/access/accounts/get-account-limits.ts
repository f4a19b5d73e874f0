import { AccountLimits, AccountRef } from '@insurance-verification/schema';
import { getAccountLimits as getStoredLimits } from '@insurance-verification/store';
import { exampleLimits } from '../../examples/access.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { query } from '../../procedure/trpc.ts';
import { toAccountLimits } from './to-account-limits.ts';

/** An account's limits and networks: those set for it, and the defaults otherwise. */
export const getAccountLimits = () =>
  query({
    meta: {
      operation: 'accounts.limits',
      openapi: {
        summary: "Read an account's limits",
        description:
          'Tells what each policy allows the account, whether that was set for it or is the default, and the networks that its keys work from.',
        tags: ['Access'],
      },
      limit: 'reads',
      problems: ['not_found'],
      answers: { raised_intake: exampleLimits },
    },
    input: AccountRef,
    output: AccountLimits,
    handler: async ({ ctx, input }) => {
      const found = await getStoredLimits(ctx.app.store, { caller: ctx.caller, accountId: input.account_id });
      return found.kind === 'found' ? toAccountLimits(found.limits) : refuse(found);
    },
  });
