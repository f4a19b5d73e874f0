import { ClaimRequest, RequestRef, type Schemas } from '@insurance-verification/schema';
import { claimRequest as claimStoredRequest, releaseWork, retakeLease } from '@insurance-verification/store';
import * as z from 'zod';
import { exampleWorkItem } from '../../examples/work.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { mutation } from '../../procedure/trpc.ts';
import { toWorkItem } from './to-work-item.ts';
import { traceLease } from './trace-lease.ts';

/** Leases one named request to a verifier, whatever waits before it. */
export const claimRequest = (schemas: Schemas) =>
  mutation({
    meta: {
      operation: 'work.claimRequest',
      openapi: {
        summary: 'Lease one named request',
        description:
          'Leases the request that the path names, whatever waits before it. It must wait for one of the channels; one that is finished, that somebody works on, or that waits for another channel is refused. With `take_over` one that the caller itself holds gets a new token, and the attempt continues.',
        tags: ['Work'],
      },
      changes: ['work'],
      problems: [
        'not_found',
        'request_finished',
        'request_leased',
        'request_not_claimable',
        'request_erased',
      ],
      body: ClaimRequest,
      example: { channels: ['manual_web_portal', 'manual_phone_call'] },
      answers: { leased: exampleWorkItem(schemas) },
    },
    input: z.object({ ...RequestRef.shape, ...ClaimRequest.shape }),
    output: schemas.WorkItem,
    handler: async ({ ctx: { app, call, caller }, input }) => {
      const { request_id: requestId, channels, take_over: takesOver = false } = input;
      const { payers, workLeaseSeconds: leaseSeconds } = app.config;
      const { gone } = call;
      const claim = { caller, requestId, channels, routes: payers.routes, leaseSeconds };
      let claimed = await claimStoredRequest(app.store, claim);
      if (claimed.kind === 'leased' && takesOver) {
        const retaken = await retakeLease(app.store, claim);
        if (retaken.kind === 'claimed') claimed = retaken;
      }
      if (claimed.kind !== 'not_found') call.concerns(requestId);
      if (claimed.kind !== 'claimed') return refuse(claimed);
      const { work } = claimed;
      // The client will never learn of this lease: others get the request at once, not when the lease ends.
      if (gone.aborted) await releaseWork(app.store, { caller, requestId, leaseToken: work.leaseToken });
      else traceLease(app, work, { operation: 'work.claimRequest', keyId: caller.keyId });
      return toWorkItem(app, work) ?? refuse({ kind: 'not_found' });
    },
  });
