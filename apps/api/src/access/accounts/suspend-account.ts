import { Account, AccountRef } from '@insurance-verification/schema';
import { suspendAccount as suspendStoredAccount } from '@insurance-verification/store';
import { exampleAccount } from '../../examples/access.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { mutation } from '../../procedure/trpc.ts';

/** Refuses an account's keys until it is resumed; accepted requests are still verified and delivered. Idempotent. */
export const suspendAccount = () =>
  mutation({
    meta: {
      operation: 'accounts.suspend',
      openapi: {
        summary: 'Suspend an account',
        description:
          'Ends what the account may ask for: each of its keys is answered 403 `account_suspended`. What it had accepted before is still verified and delivered. A key cannot suspend its own account.',
        tags: ['Access'],
      },
      changes: ['access'],
      problems: ['not_found', 'locks_caller_out'],
      answers: { suspended: { ...exampleAccount, suspended_at: '2026-11-20T12:00:00.000Z' } },
    },
    input: AccountRef,
    output: Account,
    handler: async ({ ctx, input }) => {
      const act = { caller: ctx.caller, accountId: input.account_id };
      const suspended = await suspendStoredAccount(ctx.app.store, act);
      if (suspended.kind !== 'changed') return refuse(suspended);
      ctx.app.authenticator.forget();
      return suspended.account;
    },
  });
