import type { Schemas } from '@insurance-verification/schema';
import { getHeldOutput as getStoredHeldOutput } from '@insurance-verification/store';
import { EXAMPLE_IDS } from '../examples/ids.ts';
import { exampleOutput } from '../examples/output.ts';
import { refuse } from '../procedure/problem/refuse.ts';
import { query } from '../procedure/trpc.ts';
import { HeldOutputRef } from './held-output-ref.ts';
import { withBenefits } from './with-benefits.ts';

/** One held output with its body. */
export const getHeldOutput = (schemas: Schemas) =>
  query({
    meta: {
      operation: 'heldOutputs.get',
      openapi: {
        summary: 'Read a held output',
        description:
          'Shows a held output as it came, and why it was held, so that an operator can apply or dismiss it.',
        tags: ['Output'],
      },
      limit: 'reads',
      problems: ['not_found'],
      answers: {
        untrusted: {
          held_id: EXAMPLE_IDS.held,
          reason: 'untrusted',
          received_at: '2026-11-20T10:15:00.000Z',
          request_id: EXAMPLE_IDS.request,
          status: 'held',
          note: null,
          output: exampleOutput(schemas),
        },
      },
    },
    input: HeldOutputRef,
    output: schemas.HeldOutputDetail,
    handler: async ({ ctx, input }) => {
      const found = await getStoredHeldOutput(ctx.app.store, { caller: ctx.caller, heldId: input.held_id });
      return found.kind === 'found' ? withBenefits(found) : refuse(found);
    },
  });
