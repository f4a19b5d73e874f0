import { sql } from 'kysely';
import { recordAccess } from '../../../access/record-access.ts';
import type { Store } from '../../../open-store.ts';
import { lockLease, type WorkLease } from '../lock-lease.ts';
import { lockSession } from './lock-session.ts';

/**
 * Minutes for which a lease and a session are kept: payers keep callers waiting for an hour, and a portal is read to its
 * end in less than half of one.
 */
const MINUTES = { phone: 90, portal: 30 } as const;

export interface CallStart extends WorkLease {
  /** The caller's session; undefined for a key. */
  readonly sessionId: string | undefined;
}

export interface PlacedCallStart extends CallStart {
  /** Where the verifier asks the payer: on the phone or in its portal. */
  readonly place: 'phone' | 'portal';
}

export type StartedCall =
  | { readonly kind: 'started'; readonly leaseUntil: Date }
  | { readonly kind: 'not_found' | 'lease_lost' | 'erased' };

/**
 * Keeps a lease without heartbeats, and the verifier's session without use: for 90 minutes on the phone, for 30 in the
 * payer's portal. Repeated during a call, it changes nothing, for the portal either; opened again, the portal's time
 * begins again.
 */
export async function startCall(store: Store, start: PlacedCallStart): Promise<StartedCall> {
  return store.db.transaction().execute(async (trx): Promise<StartedCall> => {
    await lockSession(trx, start.sessionId);
    const lease = await lockLease(trx, start);
    if (lease.kind !== 'held') return lease;
    const { id: requestId } = lease.request;
    const isPortal = start.place === 'portal';
    const { rows } = await sql<{ until: Date }>`
      update verification_attempt set
        on_call_until = case when on_call_until > now() and not in_portal then on_call_until
          else now() + make_interval(mins => ${MINUTES[start.place]}) end,
        in_portal = ${isPortal} and (in_portal or (on_call_until > now()) is not true)
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
        .set({ on_call_until: sql<Date>`greatest(on_call_until, ${call.until}::timestamptz)` })
        .where('id', '=', start.sessionId)
        .execute();
    await recordAccess(trx, { caller: start.caller, operation: 'work.startCall', requestIds: [requestId] });
    return { kind: 'started', leaseUntil: call.until };
  });
}
