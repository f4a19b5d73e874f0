import { ApiKey } from '@insurance-verification/schema';
import { revokeApiKey } from '@insurance-verification/store';
import * as z from 'zod';
import { exampleKey } from '../../examples/access.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { mutation } from '../../procedure/trpc.ts';

/** Revokes a key. Idempotent. */
export const revokeKey = () =>
  mutation({
    meta: {
      operation: 'keys.revoke',
      openapi: {
        summary: 'Revoke an API key',
        description:
          'Ends a key for good: at once in the process that is asked, within a second in every other. A key that is revoked already stays so.',
        tags: ['Access'],
      },
      changes: ['access'],
      problems: ['not_found'],
      answers: { revoked: { ...exampleKey, revoked_at: '2026-11-20T12:00:00.000Z' } },
    },
    input: z.object({ key_id: z.string().meta({ description: 'The id of the key.' }) }),
    output: ApiKey,
    handler: async ({ ctx, input }) => {
      const revoked = await revokeApiKey(ctx.app.store, { caller: ctx.caller, keyId: input.key_id });
      if (revoked.kind !== 'revoked') return refuse(revoked);
      ctx.app.authenticator.forget();
      return revoked.key;
    },
  });
