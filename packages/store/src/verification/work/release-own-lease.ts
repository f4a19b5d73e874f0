import type { Caller } from '../../access/caller.ts';
import type { Store } from '../../open-store.ts';
import { type ReleasedWork, releaseWork } from './release-work.ts';

/** Returns a request that the caller holds, without its token: the program or the browser that knew it has ended. */
export async function releaseOwnLease(
  store: Store,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
): Promise<ReleasedWork> {
  const lease = await store.db
    .selectFrom('work_queue')
    .innerJoin('verification_attempt as attempt', 'attempt.request_id', 'work_queue.request_id')
    .select('work_queue.lease')
    .where('work_queue.request_id', '=', requestId)
    .where('attempt.ended_at', 'is', null)
    .where('attempt.key_id', '=', caller.keyId)
    .executeTakeFirst();
  if (!lease?.lease) return { kind: 'lease_lost' };
  return releaseWork(store, { caller, requestId, leaseToken: lease.lease });
}
