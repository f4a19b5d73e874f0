import { ReleasedWork, ReleaseWork, RequestRef } from '@insurance-verification/schema';
import { releaseWork as releaseStoredWork } from '@insurance-verification/store';
import * as z from 'zod';
import { EXAMPLE_IDS } from '../../examples/ids.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { mutation } from '../../procedure/trpc.ts';

/** Gives a request back untried. */
export const releaseWork = () =>
  mutation({
    meta: {
      operation: 'work.release',
      openapi: {
        summary: 'Give a request back untried',
        description:
          'Ends a lease without a finding, so that somebody else can take the request at once. It costs the request no attempt.',
        tags: ['Work'],
      },
      changes: ['work'],
      problems: ['not_found', 'lease_lost', 'request_erased'],
      body: ReleaseWork,
      example: { lease_token: EXAMPLE_IDS.leaseToken, reason: 'End of the shift.' },
      answers: { released: { status: 'released' } },
    },
    input: z.object({ ...RequestRef.shape, ...ReleaseWork.shape }),
    output: ReleasedWork,
    handler: async ({ ctx: { app, call, caller }, input }) => {
      const { request_id: requestId, lease_token: leaseToken, reason } = input;
      const { kind } = await releaseStoredWork(app.store, { caller, requestId, leaseToken, reason });
      if (kind !== 'released') return refuse({ kind });
      call.concerns(requestId);
      return { status: kind };
    },
  });
