import { sql, type Transaction } from 'kysely';
import { nextAttemptNumber } from '../../evidence/next-attempt-number.ts';
import type { Tables } from '../../tables/tables.ts';
import type { OverduePlan } from './plan-overdue.ts';

/**
 * For locked requests: ends the attempts whose lease lapsed, and writes a timed-out attempt for each channel that
 * nobody tried.
 */
export async function endAttempts(trx: Transaction<Tables>, plans: readonly OverduePlan[]): Promise<void> {
  const lapsed = plans.filter(({ hasLapsed }) => hasLapsed);
  const lapsedIds = lapsed.map(({ requestId }) => requestId);
  if (lapsed.length > 0)
    await sql`
      update verification_attempt as attempt set ended_at = greatest(started_at, least(leased_until, now())),
        outcome = 'lease_expired'
      from work_queue as queued
      where queued.request_id = any (${lapsedIds}::text[]) and attempt.request_id = queued.request_id
        and attempt.request_id = any (${lapsedIds}::text[]) and attempt.ended_at is null`.execute(trx);
  const timedOut = plans.filter(({ timedOutIn }) => timedOutIn !== null);
  const timedOutIds = timedOut.map(({ requestId }) => requestId);
  if (timedOut.length > 0)
    await sql`
      insert into verification_attempt
        (request_id, number, account_id, payer_id, channel, started_at, ended_at, outcome)
      select request_id, ${nextAttemptNumber(sql`work_queue.request_id`)}, account_id, payer_id, source,
        case when channel = 'entry' then waits_since else channel_entered_at end, now(), 'timed_out'
      from unnest(
        ${timedOutIds}::text[], ${timedOut.map(({ timedOutIn }) => timedOutIn)}::text[]
      ) as timed_out (id, source)
      join work_queue on request_id = timed_out.id and request_id = any (${timedOutIds}::text[])`.execute(
      trx,
    );
}
