import type { Transaction } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { type LockedRequest, lockRequest } from '../../intake/lock-request.ts';
import type { QueueName } from '../../tables/route.ts';
import type { Tables } from '../../tables/tables.ts';

/** A verifier's hold on a request. The token is a fencing token: a verifier that lost the lease changes nothing. */
export interface WorkLease {
  readonly caller: Caller;
  readonly requestId: string;
  /** Any text; one that is not a token of ours is treated as stale. */
  readonly leaseToken: string;
}

/** A locked request whose lease holds. */
export interface LeasedRequest extends LockedRequest {
  readonly channel: QueueName;
  /** Of the attempt under way. */
  readonly attempt_number: number;
}

export type LockedLease =
  | { readonly kind: 'held'; readonly request: LeasedRequest }
  /** `erased`: the data of the request is gone, and with it the lease. */
  | { readonly kind: 'not_found' | 'lease_lost' | 'erased' };

/** Whether a verifier may work in a channel; `entry` stands before the first one, and null is none. */
function worksIn({ verifyWithin }: Caller, channel: QueueName | null): boolean {
  const channels = verifyWithin?.channels;
  return !channels || channel === null || channel === 'entry' || channels.includes(channel);
}

/** Locks the request and returns it if the lease still holds. */
export async function lockLease(
  trx: Transaction<Tables>,
  { caller, requestId, leaseToken }: WorkLease,
): Promise<LockedLease> {
  const request = await lockRequest(trx, requestId, caller);
  if (!request || !worksIn(caller, request.channel)) return { kind: 'not_found' };
  if (request.erased_at) return { kind: 'erased' };
  const { channel, attempt_number } = request;
  const isHeld = request.lease === leaseToken && request.lease_holds;
  if (!isHeld || channel === null || attempt_number === null) return { kind: 'lease_lost' };
  return { kind: 'held', request: { ...request, channel, attempt_number } };
}
