import { PasskeyList } from '@insurance-verification/schema';
import { listPasskeys as listStoredPasskeys } from '@insurance-verification/store';
import { examplePasskey } from '../../examples/staff.ts';
import { query } from '../../procedure/trpc.ts';

/** The caller's passkeys. */
export const listPasskeys = () =>
  query({
    meta: {
      operation: 'passkeys.list',
      openapi: {
        summary: "List one's passkeys",
        description: 'Lists the passkeys of the person who asks, newest first; there are 20 at most.',
        tags: ['Access'],
      },
      limit: 'reads',
      answers: { own: { items: [examplePasskey] } },
    },
    output: PasskeyList,
    handler: async ({ ctx: { app, caller } }) => listStoredPasskeys(app.store, caller),
  });
