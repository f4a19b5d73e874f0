import { HeartbeatWork, RenewedLease, RequestRef } from '@insurance-verification/schema';
import { heartbeatWork as heartbeatStoredWork } from '@insurance-verification/store';
import * as z from 'zod';
import { EXAMPLE_IDS } from '../../procedure/example-ids.ts';
import { mutation } from '../../procedure/trpc.ts';
import { heldLease } from './held-lease.ts';

/** Says that the verifier is still at it: the lease is as long as new. */
export const heartbeatWork = () =>
  mutation({
    meta: {
      operation: 'work.heartbeat',
      openapi: {
        summary: 'Renew a lease',
        description:
          'Says that the verifier is still at it, and gets the time at which the lease now ends. Send one well before that time.',
        tags: ['Work'],
      },
      problems: ['not_found', 'lease_lost'],
      body: HeartbeatWork,
      example: { lease_token: EXAMPLE_IDS.leaseToken },
      answers: { renewed: { lease_expires_at: '2026-11-20T10:06:00.000Z' } },
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
