import { Account, AccountRef } from '@insurance-verification/schema';
import { resumeAccount as resumeStoredAccount } from '@insurance-verification/store';
import { exampleAccount } from '../../examples/access.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { mutation } from '../../procedure/trpc.ts';

/** Lets a suspended account's keys work again. Idempotent. */
export const resumeAccount = () =>
  mutation({
    meta: {
      operation: 'accounts.resume',
      openapi: {
        summary: 'Resume a suspended account',
        description:
          'Lets the keys of a suspended account work again. For an account that is not suspended nothing changes.',
        tags: ['Access'],
      },
      changes: ['access'],
      problems: ['not_found'],
      answers: { resumed: exampleAccount },
    },
    input: AccountRef,
    output: Account,
    handler: async ({ ctx, input }) => {
      const act = { caller: ctx.caller, accountId: input.account_id };
      const resumed = await resumeStoredAccount(ctx.app.store, act);
      if (resumed.kind !== 'changed') return refuse(resumed);
      ctx.app.authenticator.forget();
      return resumed.account;
    },
  });
