import { HeldStats } from '@insurance-verification/schema';
import { countHeldOutputs } from '@insurance-verification/store';
import { query } from '../procedure/trpc.ts';

/** How much waits for an operator. It shows no single output, and so leaves no line in the access log. */
export const heldStats = () =>
  query({
    meta: {
      operation: 'heldOutputs.stats',
      openapi: {
        summary: 'Show how many held outputs wait',
        description:
          'Tells how many outputs wait for an operator, counted up to 10,000, and when the one that waits longest was received.',
        tags: ['Output'],
      },
      limit: 'reads',
      answers: { some: { open_count: 12, oldest_received_at: '2026-11-20T10:15:00.000Z' } },
    },
    output: HeldStats,
    handler: ({ ctx: { app, caller } }) => countHeldOutputs(app.store, { caller }),
  });
