import { FailedWork, FailWork, RequestRef } from '@insurance-verification/schema';
import { failWork as failStoredWork } from '@insurance-verification/store';
import * as z from 'zod';
import { ProblemError } from '../problem.ts';
import { mutation } from '../trpc.ts';

/** This channel cannot find out: the request is handed on to the next one, or ends as error_verifying. */
export const failWork = () =>
  mutation({
    meta: {
      openapi: {
        method: 'POST',
        path: '/work/{request_id}/fail',
        summary: 'Say that this channel cannot find out',
        tags: ['Work'],
      },
      scopes: ['verify'],
      problems: ['not_found', 'lease_lost'],
      body: FailWork,
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
      if (failed.kind === 'not_found' || failed.kind === 'lease_lost') throw new ProblemError(failed.kind);
      call.concerns(input.request_id);
      if (failed.kind === 'next_channel') return { status: failed.kind, next_channel: failed.channel };
      app.wakeDelivery();
      return { status: failed.kind, next_channel: null };
    },
  });
