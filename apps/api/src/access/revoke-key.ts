import { ApiKey } from '@insurance-verification/schema';
import { revokeApiKey } from '@insurance-verification/store';
import * as z from 'zod';
import { found } from '../found.ts';
import { mutation } from '../trpc.ts';

/** Ends a key. Again is the same as once. */
export const revokeKey = () =>
  mutation({
    meta: {
      openapi: {
        method: 'POST',
        path: '/keys/{key_id}/revoke',
        summary: 'Revoke an API key',
        tags: ['Access'],
      },
      scopes: ['admin'],
      problems: ['not_found'],
    },
    input: z.object({ key_id: z.string().meta({ description: 'The id of the key.' }) }),
    output: ApiKey,
    handler: async ({ ctx, input }) => {
      const revoked = found(await revokeApiKey(ctx.app.store, ctx.caller, input.key_id));
      ctx.app.authenticator.forget();
      return revoked;
    },
  });
