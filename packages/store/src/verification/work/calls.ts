import { sql, type Transaction } from 'kysely';
import { recordAccess } from '../../access/record-access.ts';
import type { Store } from '../../open-store.ts';
import type { Tables } from '../../tables/tables.ts';
import { lockLease, type WorkLease } from './work-lease.ts';

/**
 * Minutes for which a lease and a session are kept: payers keep callers waiting for an hour, and reading a portal
 * takes less than half of one.
 */
const MINUTES = { phone: 90, portal: 30 } as const;

interface CallStart extends WorkLease {
  /** The caller's session; undefined for a key. */
  readonly sessionId: string | undefined;
}

interface PlacedCallStart extends CallStart {
  /** Where the verifier asks the payer: on the phone or in its portal. */
  readonly place: 'phone' | 'portal';
}

type StartedCall =
  | { readonly kind: 'started'; readonly leaseUntil: Date }
  | { readonly kind: 'not_found' | 'lease_lost' | 'erased' };

/**
 * Keeps a lease without heartbeats, and the verifier's session without use: for 90 minutes on the phone, for 30 in
 * the payer's portal. Repeated during a call, it changes nothing; opening a portal again restarts its time.
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

interface CallEnd extends CallStart {
  /** The lease's duration from now on. */
  readonly leaseSeconds: number;
}

type EndedCall =
  | { readonly kind: 'ended'; readonly leaseUntil: Date }
  | { readonly kind: 'not_found' | 'lease_lost' | 'erased' };

/**
 * Ends a call, or the time in the portal: from now on heartbeats keep the lease, and use keeps the session. Without a
 * call it only renews the lease.
 */
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

/**
 * Lets the leases of a person's calls lapse at sign-out. The two minutes are for a person who signs in again at once.
 */
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

/**
 * Locks a session whose call begins or ends, before its request: ending a session locks both in this order, and would
 * otherwise deadlock. A key has no session.
 */
async function lockSession(trx: Transaction<Tables>, sessionId: string | undefined): Promise<void> {
  if (sessionId === undefined) return;
  await sql`select from staff_session where id = ${sessionId} for no key update`.execute(trx);
}
