import { ApplyHeldOutput, OutputReceipt, type ValidationError } from '@insurance-verification/schema';
import { applyHeldOutput as applyStoredHeldOutput } from '@insurance-verification/store';
import * as z from 'zod';
import { EXAMPLE_IDS } from '../examples/ids.ts';
import { ValidationFailedError } from '../procedure/problem/problem.ts';
import { refuse } from '../procedure/problem/refuse.ts';
import { mutation } from '../procedure/trpc.ts';
import { HeldOutputRef } from './held-output-ref.ts';

/**
 * An operator applies a held output, to its own request or to a named one; on a finished request it is a correction.
 */
export const applyHeldOutput = () =>
  mutation({
    meta: {
      operation: 'heldOutputs.apply',
      openapi: {
        summary: 'Apply a held output',
        description:
          'Makes the result of a held output the result of its request, or of the request that the body names. On a request that has a result already it is the correction: the next version, delivered as a new message.',
        tags: ['Output'],
      },
      changes: ['held', 'request'],
      problems: ['not_found', 'held_output_settled', 'held_output_not_applicable', 'request_erased'],
      body: ApplyHeldOutput,
      example: { request_id: EXAMPLE_IDS.request },
      answers: { applied: { status: 'applied', version: 2 } },
    },
    input: z.object({ ...HeldOutputRef.shape, ...ApplyHeldOutput.shape }),
    output: OutputReceipt,
    handler: async ({ ctx, input: { held_id: heldId, request_id: requestId } }) => {
      const applied = await applyStoredHeldOutput(ctx.app.store, { caller: ctx.caller, heldId, requestId });
      switch (applied.kind) {
        case 'applied':
          ctx.call.concerns(applied.requestId);
          ctx.app.wakeDelivery();
          return { status: 'applied' as const, version: applied.version };
        case 'no_target':
        case 'unknown_request':
          throw new ValidationFailedError([{ loc: ['body', 'request_id'], ...FAULTS[applied.kind] }]);
        default:
          return refuse(applied);
      }
    },
  });

/** Faults of the request that the body names or omits, which only the database can know. */
const FAULTS = {
  no_target: { msg: 'Field required', type: 'missing' },
  unknown_request: { msg: 'There is no request with this id', type: 'request_not_found' },
} satisfies Record<string, Omit<ValidationError, 'loc'>>;
