import { FailedWork, FailWork, RequestRef } from '@insurance-verification/schema';
import { failWork as failStoredWork } from '@insurance-verification/store';
import * as z from 'zod';
import { EXAMPLE_IDS } from '../../examples/ids.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { mutation } from '../../procedure/trpc.ts';

/** Reports that this channel cannot find out: the request goes to the next one, or ends as error_verifying. */
export const failWork = () =>
  mutation({
    meta: {
      operation: 'work.fail',
      openapi: {
        summary: 'Report a failed channel',
        description:
          "Reports why this channel could not verify. The request passes to the next channel of its payer's route, or ends as `error_verifying` with the reason where none is left, none can help, or `final` is true.",
        tags: ['Work'],
      },
      changes: ['work', 'request'],
      problems: ['not_found', 'lease_lost', 'request_erased'],
      body: FailWork,
      example: {
        lease_token: EXAMPLE_IDS.leaseToken,
        error_reason: 'portal_two_factor',
        note: 'The portal asked for a code by text message.',
      },
      answers: {
        handed_on: { status: 'next_channel', next_channel: 'manual_phone_call' },
        ended: { status: 'error_verifying', next_channel: null },
      },
    },
    input: z.object({ ...RequestRef.shape, ...FailWork.shape }),
    output: FailedWork,
    handler: async ({ ctx: { app, call, caller }, input }) => {
      const failed = await failStoredWork(app.store, {
        caller,
        routes: app.config.payers.routes,
        requestId: input.request_id,
        leaseToken: input.lease_token,
        errorReason: input.error_reason,
        evidence: { note: input.note, reference: input.reference },
        final: input.final ?? false,
      });
      if (failed.kind === 'not_found' || failed.kind === 'lease_lost' || failed.kind === 'erased')
        return refuse(failed);
      call.concerns(input.request_id);
      if (failed.kind === 'next_channel') return { status: failed.kind, next_channel: failed.channel };
      app.wakeDelivery();
      return { status: failed.kind, next_channel: null };
    },
  });
