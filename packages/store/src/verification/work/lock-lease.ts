import type { Transaction } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { type LockedRequest, lockRequest } from '../../intake/lock-request.ts';
import type { Tables } from '../../tables.ts';

/** A verifier's hold on a request. The token is a fencing token: a verifier that lost the lease changes nothing. */
export interface WorkLease {
  readonly caller: Caller;
  readonly requestId: string;
  /** Any text; one that is not a token of ours is treated as stale. */
  readonly leaseToken: string;
}

export type LockedLease =
  | { readonly kind: 'held'; readonly request: LockedRequest }
  | { readonly kind: 'not_found' | 'lease_lost' };

/** Locks the request and returns it if the lease still holds. */
export async function lockLease(
  trx: Transaction<Tables>,
  { caller, requestId, leaseToken }: WorkLease,
): Promise<LockedLease> {
  const request = await lockRequest(trx, requestId, caller);
  if (!request) return { kind: 'not_found' };
  const isHeld = request.lease_token === leaseToken && request.lease_holds;
  return isHeld ? { kind: 'held', request } : { kind: 'lease_lost' };
}
