import type { Schemas } from '@insurance-verification/schema';
import { getHeldOutput as getStoredHeldOutput } from '@insurance-verification/store';
import { found } from '../found.ts';
import { query } from '../trpc.ts';
import { HeldOutputRef } from './held-output-ref.ts';
import { toHeldOutput } from './to-held-output.ts';

/** One held output with its body. */
export const getHeldOutput = ({ HeldOutputDetail }: Schemas) =>
  query({
    meta: {
      openapi: {
        method: 'GET',
        path: '/held-outputs/{held_id}',
        summary: 'Read a held output',
        tags: ['Output'],
      },
      scopes: ['operate'],
      limit: 'reads',
      problems: ['not_found'],
    },
    input: HeldOutputRef,
    output: HeldOutputDetail,
    handler: async ({ ctx, input }) => {
      const held = found(await getStoredHeldOutput(ctx.app.store, ctx.caller, input.held_id));
      return { ...toHeldOutput(held), status: held.status, note: held.note, output: held.output };
    },
  });
