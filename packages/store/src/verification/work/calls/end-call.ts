import { sql, type Transaction } from 'kysely';
import { recordAccess } from '../../../access/record-access.ts';
import type { Store } from '../../../open-store.ts';
import type { Tables } from '../../../tables/tables.ts';
import { lockLease } from '../lock-lease.ts';
import { lockSession } from './lock-session.ts';
import type { CallStart } from './start-call.ts';

export interface CallEnd extends CallStart {
  /** The lease's duration from now on. */
  readonly leaseSeconds: number;
}

export type EndedCall =
  | { readonly kind: 'ended'; readonly leaseUntil: Date }
  | { readonly kind: 'not_found' | 'lease_lost' | 'erased' };

/** Ends a call, or the time in the portal: heartbeats keep the lease again, and use the session. Without a call it renews the lease alone. */
export async function endCall(store: Store, end: CallEnd): Promise<EndedCall> {
  return store.db.transaction().execute(async (trx): Promise<EndedCall> => {
    await lockSession(trx, end.sessionId);
    const lease = await lockLease(trx, end);
    if (lease.kind !== 'held') return lease;
    const { id: requestId } = lease.request;
    await trx
      .updateTable('verification_attempt')
      .set({ on_call_until: null, in_portal: false })
      .where('request_id', '=', requestId)
      .where('ended_at', 'is', null)
      .execute();
    const { rows } = await sql<{ until: Date }>`
      update work_queue set leased_at = now(), leased_until = now() + make_interval(secs => ${end.leaseSeconds})
      where request_id = ${requestId} returning leased_until as until`.execute(trx);
    if (end.sessionId !== undefined)
      await trx
        .updateTable('staff_session')
        .set({ on_call_until: null, used_at: sql<Date>`now()` })
        .where('id', '=', end.sessionId)
        .execute();
    await recordAccess(trx, { caller: end.caller, operation: 'work.endCall', requestIds: [requestId] });
    const [renewed] = rows;
    if (!renewed) throw new Error('A locked request is gone.');
    return { kind: 'ended', leaseUntil: renewed.until };
  });
}

/** Minutes that a call's lease outlasts the session of its verifier. */
const REMAINING_MINUTES = 2;

/** Lets the leases of a person's calls lapse: whoever is signed out comes back in a moment, or not at all. */
export async function letCallsLapse(trx: Transaction<Tables>, staffId: string): Promise<void> {
  // Each request's place in the queue before its attempt, as every other step locks them.
  await sql`
    with on_call as materialized (
      select request_id from work_queue where request_id in (
        select request_id from verification_attempt
        where key_id = ${staffId} and on_call_until is not null and ended_at is null
      ) order by request_id for no key update
    ), call as (
      update verification_attempt attempt set on_call_until = null from on_call
      where attempt.request_id = on_call.request_id and key_id = ${staffId} and on_call_until is not null
        and ended_at is null
      returning attempt.request_id
    )
    update work_queue set leased_until = least(leased_until, now() + make_interval(mins => ${REMAINING_MINUTES}))
    from call where work_queue.request_id = call.request_id`.execute(trx);
}
