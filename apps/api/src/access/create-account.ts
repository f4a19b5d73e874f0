import { Account, CreateAccount } from '@insurance-verification/schema';
import { createAccount as createStoredAccount } from '@insurance-verification/store';
import { createWebhookSecret } from '@insurance-verification/webhook';
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
    handler: ({ ctx, input }) =>
      createStoredAccount(ctx.app.store, ctx.caller, { ...input, webhookSecret: createWebhookSecret() }),
  });
