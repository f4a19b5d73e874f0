import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../tables.ts';
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
      update verification_attempt as attempt set ended_at = request.lease_until, outcome = 'lease_expired'
      from request
      where request.id = any (${lapsedIds}::text[]) and attempt.request_id = request.id
        and attempt.request_id = any (${lapsedIds}::text[]) -- names the months, of which others are not planned for
        and attempt.ended_at is null`.execute(trx);
  const timedOut = plans.filter(({ timedOutIn }) => timedOutIn !== null);
  const timedOutIds = timedOut.map(({ requestId }) => requestId);
  if (timedOut.length > 0)
    await sql`
      with counted as (
        update request set verification_attempt_count = verification_attempt_count + 1
        from unnest(
          ${timedOutIds}::text[], ${timedOut.map(({ timedOutIn }) => timedOutIn)}::text[]
        ) as timed_out (id, source)
        where request.id = timed_out.id and request.id = any (${timedOutIds}::text[])
        returning request.*, timed_out.source
      )
      insert into verification_attempt
        (request_id, number, account_id, payer_id, channel, started_at, ended_at, outcome)
      select id, verification_attempt_count, account_id, payer_id, source,
        case when channel = 'entry' then work_due_at else channel_entered_at end, now(), 'timed_out'
      from counted`.execute(trx);
}
