import { DismissHeldOutput, DismissReceipt } from '@insurance-verification/schema';
import { dismissHeldOutput as dismissStoredHeldOutput } from '@insurance-verification/store';
import * as z from 'zod';
import { refuse } from '../procedure/problem/refuse.ts';
import { mutation } from '../procedure/trpc.ts';
import { HeldOutputRef } from './held-output-ref.ts';

/** An operator dismisses a held output: it ends without being applied. */
export const dismissHeldOutput = () =>
  mutation({
    meta: {
      operation: 'heldOutputs.dismiss',
      openapi: {
        summary: 'Dismiss a held output',
        description: 'Settles a held output without applying it. Nothing is delivered.',
        tags: ['Output'],
      },
      changes: ['held'],
      problems: ['not_found', 'held_output_settled'],
      body: DismissHeldOutput,
      example: { note: 'A test of the portal robot.' },
      answers: { dismissed: { status: 'dismissed' } },
    },
    input: z.object({ ...HeldOutputRef.shape, ...DismissHeldOutput.shape }),
    output: DismissReceipt,
    handler: async ({ ctx, input: { held_id: heldId, note } }) => {
      const { kind } = await dismissStoredHeldOutput(ctx.app.store, { caller: ctx.caller, heldId, note });
      return kind === 'dismissed' ? { status: kind } : refuse({ kind });
    },
  });
