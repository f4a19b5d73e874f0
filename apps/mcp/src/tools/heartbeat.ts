import { RenewedLease, RequestRef } from '@insurance-verification/schema';
import { nextRenewal } from '../leases/lease.ts';
import { strictObject } from './strict-object.ts';
import { tool } from './tool.ts';
import { withLease } from './with-lease.ts';

export const heartbeat = () =>
  tool({
    name: 'heartbeat',
    title: 'Say that you are still at it',
    description:
      'Renews your lease now. That is done for you for an hour after your last call, over HTTP without a session for ten minutes; call it when you work for longer without another call. ' +
      '`lease_lost` means that someone else may have the request: stop.',
    annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: strictObject(RequestRef.shape),
    output: RenewedLease.shape,
    run: (context, { request_id }) =>
      withLease(context, request_id, async (lease, token) => {
        const renewed = await context.client.work.heartbeat(token);
        lease.expiresAt = renewed.lease_expires_at;
        lease.renewAt = nextRenewal(renewed.lease_expires_at, Date.now());
        return renewed;
      }),
  });
