import { DismissedHeldOutputs, DismissHeldOutputs } from '@insurance-verification/schema';
import { dismissHeldOutputs as dismissStoredHeldOutputs } from '@insurance-verification/store';
import { mutation } from '../procedure/trpc.ts';

/** An operator dismisses all held outputs of a reason, as after a flood, without applying any. */
export const dismissHeldOutputs = () =>
  mutation({
    meta: {
      operation: 'heldOutputs.dismissMany',
      openapi: {
        summary: 'Dismiss many held outputs',
        description:
          'Dismisses what is held for one reason, the oldest first, as after a flood of unwanted outputs. Call again while `more` is true.',
        tags: ['Output'],
      },
      changes: ['held'],
      example: { reason: 'untrusted', received_before: '2026-11-20T00:00:00Z', limit: 1_000 },
      answers: { some_left: { dismissed: 1_000, more: true } },
    },
    input: DismissHeldOutputs,
    output: DismissedHeldOutputs,
    handler: ({ ctx, input }) =>
      dismissStoredHeldOutputs(ctx.app.store, {
        caller: ctx.caller,
        reason: input.reason,
        receivedBefore: input.received_before === undefined ? undefined : new Date(input.received_before),
        requestId: input.request_id,
        note: input.note,
        limit: input.limit,
      }),
  });
