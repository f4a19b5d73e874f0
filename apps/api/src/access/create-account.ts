import { Account, CreateAccount } from '@insurance-verification/schema';
import { createAccount as createStoredAccount } from '@insurance-verification/store';
import { createWebhookSecret } from '@insurance-verification/webhook';
import { ValidationFailedError } from '../problem.ts';
import { mutation } from '../trpc.ts';

/** Makes an account with a webhook secret of its own. */
export const createAccount = () =>
  mutation({
    meta: {
      openapi: { method: 'POST', path: '/accounts', summary: 'Create an account', tags: ['Access'] },
      scopes: ['admin'],
    },
    input: CreateAccount,
    output: Account,
    handler: async ({ ctx, input }) => {
      const account = { ...input, webhookSecret: createWebhookSecret() };
      const created = await createStoredAccount(ctx.app.store, ctx.caller, account);
      if (created !== 'beyond_reach') return created;
      throw new ValidationFailedError([
        {
          loc: ['body', 'mode'],
          msg: 'A key of a test account makes test accounts only',
          type: 'value_error',
        },
      ]);
    },
  });
