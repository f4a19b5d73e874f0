import { HeartbeatWork, RenewedLease, RequestRef } from '@insurance-verification/schema';
import { heartbeatWork as heartbeatStoredWork } from '@insurance-verification/store';
import * as z from 'zod';
import { mutation } from '../trpc.ts';
import { heldLease } from './held-lease.ts';

/** Says that the verifier is still at it: the lease is as long as new. */
export const heartbeatWork = () =>
  mutation({
    meta: {
      openapi: {
        method: 'POST',
        path: '/work/{request_id}/heartbeat',
        summary: 'Renew a lease',
        tags: ['Work'],
      },
      scopes: ['verify'],
      problems: ['not_found', 'lease_lost'],
      body: HeartbeatWork,
    },
    input: z.object({ ...RequestRef.shape, ...HeartbeatWork.shape }),
    output: RenewedLease,
    handler: async ({ ctx: { app, call, caller }, input }) => {
      const { request_id: requestId, lease_token: leaseToken } = input;
      const lease = { caller, requestId, leaseToken };
      const until = await heartbeatStoredWork(app.store, lease, app.config.workLeaseSeconds);
      const leaseUntil = heldLease(until);
      call.concerns(requestId);
      return { lease_expires_at: leaseUntil.toISOString() };
    },
  });
