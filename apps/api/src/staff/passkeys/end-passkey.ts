import { EndedPasskey, PasskeyRef } from '@insurance-verification/schema';
import { endPasskey as endStoredPasskey } from '@insurance-verification/store';
import { EXAMPLE_IDS } from '../../examples/ids.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { mutation } from '../../procedure/trpc.ts';

/** Removes one of the person's passkeys. */
export const endPasskey = () =>
  mutation({
    meta: {
      operation: 'passkeys.end',
      openapi: {
        summary: 'Remove a passkey',
        description:
          "Removes one of one's own passkeys: it can no longer be used to sign in. Sessions that it began continue until they end, or are ended.",
        tags: ['Access'],
      },
      changes: [],
      ofCaller: true,
      problems: ['not_found'],
      answers: { ended: { passkey_id: EXAMPLE_IDS.passkey, status: 'ended' } },
    },
    input: PasskeyRef,
    output: EndedPasskey,
    handler: async ({ ctx: { app, caller }, input: { passkey_id: passkeyId } }) => {
      const ended = await endStoredPasskey(app.store, { caller, passkeyId });
      if (ended.kind === 'not_found') return refuse({ kind: 'not_found' });
      return { passkey_id: passkeyId, status: 'ended' as const };
    },
  });
