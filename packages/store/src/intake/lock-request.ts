import type { Outcome } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import { type Reach, within, withinPayers } from '../access/reach.ts';
import { isIssuedId } from '../issued-id.ts';
import type { QueueName } from '../tables/intake.ts';
import type { Tables } from '../tables/tables.ts';

/** A request that a transaction locked, with its place in the queue: null once it is finished. */
export interface LockedRequest {
  readonly id: string;
  readonly account_id: string;
  readonly payer_id: string;
  readonly input: Buffer;
  readonly received_at: Date;
  readonly outcome: Outcome;
  readonly version: number;
  readonly erased_at: Date | null;
  /** The number of its latest event. */
  readonly event_count: number;
  /** The start of the transaction by the database's clock. */
  readonly began_at: Date;
  readonly channel: QueueName | null;
  /** The batch that it came in; null for a single or a finished one. */
  readonly batch_id: string | null;
  readonly lease: string | null;
  /** The lease has not lapsed, by the clock after the lock was obtained. */
  readonly lease_holds: boolean;
  /** Of its latest attempt; null without any. */
  readonly attempt_number: number | null;
}

/**
 * Locks a request against every other change of its outcome and its place in the queue until the transaction ends: first
 * the request, then its row of the queue. Every transaction that changes a request's results, deliveries or held outputs
 * takes this lock first, which prevents deadlocks. Null when no such request is within reach.
 */
export async function lockRequest(
  trx: Transaction<Tables>,
  requestId: string | null,
  reach: Reach,
): Promise<LockedRequest | null> {
  if (requestId === null || !isIssuedId('req', requestId)) return null;
  // Not by now(), the transaction's start: the wait may have outlasted the lease. And outside of the locking selects,
  // whose columns are computed before the wait.
  const { rows } = await sql<LockedRequest>`
    select locked.*, now() as began_at, queued.channel, queued.batch_id, queued.lease, coalesce(
        queued.leased_until > clock_timestamp() and queued.leased_at <= clock_timestamp() + interval '5 seconds', false
      ) as lease_holds,
      (select max(number) from verification_attempt where request_id = locked.id) as attempt_number
    from (
      select id, account_id, payer_id, input, received_at, outcome, version, erased_at, event_count from request
      where id = ${requestId} and ${within(reach, 'account_id')} and ${withinPayers(reach, 'payer_id')}
      for no key update
    ) as locked left join lateral (
      select channel, batch_id, lease, leased_at, leased_until from work_queue where request_id = locked.id for no key update
    ) as queued on true`.execute(trx);
  return rows[0] ?? null;
}
