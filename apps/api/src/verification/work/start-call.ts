import { RenewedLease, RequestRef, StartCall } from '@insurance-verification/schema';
import { startCall as startStoredCall } from '@insurance-verification/store';
import * as z from 'zod';
import { EXAMPLE_IDS } from '../../examples/ids.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { mutation } from '../../procedure/trpc.ts';

/** Keeps a lease, and the session of its verifier, during a phone call or while the payer's portal is read. */
export const startCall = () =>
  mutation({
    meta: {
      operation: 'work.startCall',
      openapi: {
        summary: 'Say that a call begins',
        description:
          "Records that the verifier is on the phone with the payer: for 90 minutes the lease needs no heartbeat and a session no use, and colleagues see it. With `place` `portal` the verifier reads in the payer's portal, and it is 30 minutes. The same call again changes nothing, but that the portal's time begins again.",
        tags: ['Work'],
      },
      changes: ['work'],
      problems: ['not_found', 'lease_lost', 'request_erased'],
      body: StartCall,
      example: { lease_token: EXAMPLE_IDS.leaseToken },
      answers: { started: { lease_expires_at: '2026-11-20T11:34:00.000Z' } },
    },
    input: z.object({ ...RequestRef.shape, ...StartCall.shape }),
    output: RenewedLease,
    handler: async ({ ctx: { app, call, caller }, input }) => {
      const { request_id: requestId, lease_token: leaseToken, place = 'phone' } = input;
      const sessionId = caller.session?.sessionId;
      const started = await startStoredCall(app.store, { caller, requestId, leaseToken, sessionId, place });
      if (started.kind !== 'started') return refuse(started);
      call.concerns(requestId);
      return { lease_expires_at: started.leaseUntil.toISOString() };
    },
  });
