import { Account, AccountRef } from '@insurance-verification/schema';
import { resumeAccount as resumeStoredAccount } from '@insurance-verification/store';
import { found } from '../procedure/problem/found.ts';
import { mutation } from '../procedure/trpc.ts';
import { exampleAccount } from './example-access.ts';

/** Lets a suspended account's keys work again. Again is the same as once. */
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
      problems: ['not_found'],
      answers: { resumed: exampleAccount },
    },
    input: AccountRef,
    output: Account,
    handler: async ({ ctx, input }) => {
      const account = found(await resumeStoredAccount(ctx.app.store, ctx.caller, input.account_id));
      ctx.app.authenticator.forget();
      return account;
    },
  });
