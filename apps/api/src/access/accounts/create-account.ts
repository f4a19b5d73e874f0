import { Account, CreateAccount } from '@insurance-verification/schema';
import { createAccount as createStoredAccount } from '@insurance-verification/store';
import { createWebhookSecret } from '@insurance-verification/webhook';
import { exampleAccount } from '../../examples/access.ts';
import { ValidationFailedError } from '../../procedure/problem/problem.ts';
import { mutation } from '../../procedure/trpc.ts';

/** Creates an account with its own webhook secret. */
export const createAccount = () =>
  mutation({
    meta: {
      operation: 'accounts.create',
      openapi: {
        summary: 'Create an account',
        description:
          'Makes an account, to which requests and keys belong. An account of kind `provider` posts requests; one of kind `platform` may also have keys of verifiers and operators. In an account of mode `test`, reserved member ids come to their outcome by themselves, and no live verifier sees a request.',
        tags: ['Access'],
      },
      changes: ['access'],
      example: { name: 'Main Street Dental', kind: 'provider', mode: 'live' },
      answers: { created: exampleAccount },
    },
    input: CreateAccount,
    output: Account,
    handler: async ({ ctx, input }) => {
      const account = { caller: ctx.caller, ...input, webhookSecret: createWebhookSecret() };
      const created = await createStoredAccount(ctx.app.store, account);
      if (created.kind === 'created') return created.account;
      throw new ValidationFailedError([
        {
          loc: ['body', 'mode'],
          msg: 'A key of a test account makes test accounts only',
          type: 'value_error',
        },
      ]);
    },
  });
