import { LegalHold } from '@insurance-verification/schema';
import { endHold as endStoredHold } from '@insurance-verification/store';
import * as z from 'zod';
import { EXAMPLE_IDS } from '../../examples/ids.ts';
import { exampleHold } from '../../examples/retention.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { mutation } from '../../procedure/trpc.ts';

/** Ends a legal hold. */
export const endHold = () =>
  mutation({
    meta: {
      operation: 'holds.end',
      openapi: {
        summary: 'End a legal hold',
        description:
          'From then on what it kept is erased as before, where no other hold is in force: what is past its retention within a day. A hold that was ended stays so.',
        tags: ['Privacy'],
      },
      changes: ['request'],
      problems: ['not_found'],
      answers: {
        ended: { ...exampleHold, ended_by: EXAMPLE_IDS.staff, ended_at: '2027-03-01T09:00:00.000Z' },
      },
    },
    input: z.object({ hold_id: z.string().meta({ description: 'The id of the hold.' }) }),
    output: LegalHold,
    handler: async ({ ctx, input: { hold_id: holdId } }) => {
      const ended = await endStoredHold(ctx.app.store, { caller: ctx.caller, holdId });
      if (ended.kind !== 'ended') return refuse(ended);
      if (ended.hold.request_id !== null) ctx.call.concerns(ended.hold.request_id);
      return ended.hold;
    },
  });
