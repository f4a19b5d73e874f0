import { HeartbeatWork, RenewedLease, RequestRef } from '@insurance-verification/schema';
import { endCall as endStoredCall } from '@insurance-verification/store';
import * as z from 'zod';
import { EXAMPLE_IDS } from '../../examples/ids.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { mutation } from '../../procedure/trpc.ts';

/** Ends a phone call: the lease is as short as any again. */
export const endCall = () =>
  mutation({
    meta: {
      operation: 'work.endCall',
      openapi: {
        summary: 'Say that a call is over',
        description:
          'Says that the phone call is over: the lease ends at `lease_expires_at` unless a heartbeat renews it, like any other.',
        tags: ['Work'],
      },
      changes: ['work'],
      problems: ['not_found', 'lease_lost', 'request_erased'],
      body: HeartbeatWork,
      example: { lease_token: EXAMPLE_IDS.leaseToken },
      answers: { ended: { lease_expires_at: '2026-11-20T10:17:00.000Z' } },
    },
    input: z.object({ ...RequestRef.shape, ...HeartbeatWork.shape }),
    output: RenewedLease,
    handler: async ({ ctx: { app, call, caller }, input }) => {
      const { request_id: requestId, lease_token: leaseToken } = input;
      const { workLeaseSeconds: leaseSeconds } = app.config;
      const sessionId = caller.session?.sessionId;
      const lease = { caller, requestId, leaseToken, sessionId, leaseSeconds };
      const ended = await endStoredCall(app.store, lease);
      if (ended.kind !== 'ended') return refuse(ended);
      call.concerns(requestId);
      return { lease_expires_at: ended.leaseUntil.toISOString() };
    },
  });
