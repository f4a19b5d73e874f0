import { CreateApiKey, CreatedApiKey } from '@insurance-verification/schema';
import { createApiKey } from '@insurance-verification/store';
import { ProblemError, ValidationFailedError } from '../problem.ts';
import { mutation } from '../trpc.ts';

/** Makes a key for an account. Its text is in this answer and nowhere else. */
export const createKey = () =>
  mutation({
    meta: {
      openapi: { method: 'POST', path: '/keys', summary: 'Create an API key', tags: ['Access'] },
      scopes: ['operate'],
      problems: ['not_found'],
    },
    input: CreateApiKey,
    output: CreatedApiKey,
    handler: async ({ ctx, input }) => {
      const created = await createApiKey(ctx.app.store, {
        caller: ctx.caller,
        accountId: input.account_id,
        scopes: input.scopes,
        name: input.name ?? null,
        expiresAt: input.expires_at ? new Date(input.expires_at) : null,
      });
      if (created === 'account_not_found') throw new ProblemError('not_found');
      if (created === 'scope_needs_platform') {
        const msg = 'Scopes verify and operate exist only on keys of platform accounts';
        throw new ValidationFailedError([{ loc: ['body', 'scopes'], msg, type: 'value_error' }]);
      }
      return created;
    },
  });
