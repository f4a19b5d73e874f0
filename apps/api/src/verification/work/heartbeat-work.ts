import { HeartbeatWork, RenewedLease, RequestRef } from '@insurance-verification/schema';
import { heartbeatWork as heartbeatStoredWork } from '@insurance-verification/store';
import * as z from 'zod';
import { EXAMPLE_IDS } from '../../examples/ids.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { mutation } from '../../procedure/trpc.ts';

/** Reports that the verifier is still working: renews the lease in full. */
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
      changes: [],
      problems: ['not_found', 'lease_lost', 'request_erased'],
      body: HeartbeatWork,
      example: { lease_token: EXAMPLE_IDS.leaseToken },
      answers: { renewed: { lease_expires_at: '2026-11-20T10:06:00.000Z' } },
    },
    input: z.object({ ...RequestRef.shape, ...HeartbeatWork.shape }),
    output: RenewedLease,
    handler: async ({ ctx: { app, call, caller }, input }) => {
      const { request_id: requestId, lease_token: leaseToken } = input;
      const { workLeaseSeconds: leaseSeconds } = app.config;
      const renewed = await heartbeatStoredWork(app.store, { caller, requestId, leaseToken, leaseSeconds });
      if (renewed.kind !== 'renewed') return refuse(renewed);
      call.concerns(requestId);
      return renewed.lease;
    },
  });
