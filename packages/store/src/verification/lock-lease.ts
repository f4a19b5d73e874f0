import type { Transaction } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { type LockedRequest, lockRequest } from '../lock-request.ts';
import type { Tables } from '../tables.ts';

/** A verifier's hold on a request. The token fences: whoever lost the lease changes nothing. */
export interface WorkLease {
  readonly caller: Caller;
  readonly requestId: string;
  /** Any text; what is no token of ours is as stale as an old one. */
  readonly leaseToken: string;
}

/** Locks the request and answers it if the lease still holds. */
export async function lockLease(
  trx: Transaction<Tables>,
  { caller, requestId, leaseToken }: WorkLease,
): Promise<LockedRequest | 'not_found' | 'lease_lost'> {
  const request = await lockRequest(trx, requestId, caller);
  if (!request) return 'not_found';
  return request.lease_token === leaseToken && request.lease_holds ? request : 'lease_lost';
}
