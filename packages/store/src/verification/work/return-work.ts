import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../tables/tables.ts';

/**
 * Takes back the work of keys and people that have ended. Their leases end, so that others can claim the requests at
 * once; the attempts do not count. The call-backs that they planned are due now, for any verifier, and the channel's
 * time runs again: a stolen key could have planned them for the last of 14 days. Skips a request that is locked: the
 * next call returns it. Repeating it changes nothing.
 */
export async function returnWorkOf(trx: Transaction<Tables>, holderIds: readonly string[]): Promise<void> {
  if (holderIds.length === 0) return;
  // Each request's place in the queue before its attempt, as every other step locks them.
  const { rows } = await sql`
    with held as materialized (
      select request_id from work_queue where leased_until > now() and exists (
        select from verification_attempt as attempt
        where attempt.request_id = work_queue.request_id and attempt.key_id = any (${holderIds}) and attempt.ended_at is null
      ) for no key update skip locked
    ), ended as (
      update verification_attempt as attempt set ended_at = now(), outcome = 'released' from held
      where attempt.request_id = held.request_id and attempt.key_id = any (${holderIds}) and attempt.ended_at is null
      returning attempt.request_id
    ), returned as (
      update work_queue set lease = null, leased_at = null, leased_until = null, waits_since = now(),
        attempt_count = greatest(attempt_count - 1, 0)
      from ended where work_queue.request_id = ended.request_id
      returning work_queue.request_id
    ), planned as materialized (
      select request_id from work_queue where call_back_by = any (${holderIds})
      for no key update skip locked
    ), opened as (
      update work_queue set call_back_by = null, call_back_is_own = false, waits_since = least(waits_since, now()),
        channel_until = channel_until - greatest(call_back_at - now(), '0'), call_back_at = least(call_back_at, now())
      from planned where work_queue.request_id = planned.request_id and call_back_by = any (${holderIds})
      returning work_queue.request_id
    )
    select from returned union all select from opened`.execute(trx);
  if (rows.length > 0) await sql`select pg_notify('work_due', '')`.execute(trx);
}
