import { sql } from 'kysely';
import { recordAccess } from '../../../access/record-access.ts';
import type { Store } from '../../../open-store.ts';
import { lockLease, type WorkLease } from '../lock-lease.ts';
import { lockSession } from './lock-session.ts';

/** Minutes for which a call keeps its lease and its session: payers keep callers waiting for an hour. */
const CALL_MINUTES = 90;

export interface CallStart extends WorkLease {
  /** The caller's session; undefined for a key. */
  readonly sessionId: string | undefined;
}

export type StartedCall =
  | { readonly kind: 'started'; readonly leaseUntil: Date }
  | { readonly kind: 'not_found' | 'lease_lost' };

/**
 * Keeps a lease for 90 minutes without heartbeats, and the verifier's session without use. Repeated during the call, it
 * changes nothing.
 */
export async function startCall(store: Store, start: CallStart): Promise<StartedCall> {
  return store.db.transaction().execute(async (trx): Promise<StartedCall> => {
    await lockSession(trx, start.sessionId);
    const lease = await lockLease(trx, start);
    if (lease.kind !== 'held') return lease;
    const { id: requestId } = lease.request;
    const { rows } = await sql<{ until: Date }>`
      update verification_attempt set on_call_until = case when on_call_until > now() then on_call_until
        else now() + make_interval(mins => ${CALL_MINUTES}) end
      where request_id = ${requestId} and ended_at is null
      returning on_call_until as until`.execute(trx);
    const [call] = rows;
    if (!call) throw new Error('A leased request has no attempt under way.');
    await sql`
      update work_queue set leased_until = greatest(leased_until, ${call.until}::timestamptz)
      where request_id = ${requestId}`.execute(trx);
    if (start.sessionId !== undefined)
      await trx
        .updateTable('staff_session')
        .set({ on_call_until: call.until })
        .where('id', '=', start.sessionId)
        .execute();
    await recordAccess(trx, { caller: start.caller, operation: 'work.startCall', requestIds: [requestId] });
    return { kind: 'started', leaseUntil: call.until };
  });
}
