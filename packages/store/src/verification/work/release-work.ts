import { sql } from 'kysely';
import { recordAccess } from '../../access/record-access.ts';
import { sealEvidence } from '../../evidence/attempt-evidence.ts';
import type { Store } from '../../open-store.ts';
import { endAttempt } from '../overdue/end-attempt.ts';
import { lockLease, type WorkLease } from './lock-lease.ts';

export interface WorkRelease extends WorkLease {
  readonly reason?: string | null | undefined;
}

export interface ReleasedWork {
  readonly kind: 'released' | 'not_found' | 'lease_lost' | 'erased';
}

/**
 * Returns a request untried: it waits in the same channel again, behind those already waiting, and the attempt does not
 * count.
 */
export async function releaseWork(store: Store, release: WorkRelease): Promise<ReleasedWork> {
  return store.db.transaction().execute(async (trx): Promise<ReleasedWork> => {
    const lease = await lockLease(trx, release);
    if (lease.kind !== 'held') return lease;
    const { request } = lease;
    const { id: requestId } = request;
    const evidence = await sealEvidence(store.vault, request, { note: release.reason });
    await endAttempt(trx, requestId, { outcome: 'released', evidence });
    await sql`
      with notified as (select pg_notify('work_due', ''))
      update work_queue set lease = null, leased_at = null, leased_until = null, waits_since = now(),
        attempt_count = greatest(attempt_count - 1, 0)
      from notified where request_id = ${requestId}`.execute(trx);
    await recordAccess(trx, { caller: release.caller, operation: 'work.release', requestIds: [requestId] });
    return { kind: 'released' };
  });
}
