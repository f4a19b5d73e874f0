import type { AttemptResult } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import type { Vault } from '../../encryption/vault.ts';
import { encryptEvidence, nextAttemptNumber } from '../../evidence/attempt-evidence.ts';
import { channelEndFunction, keepUntilFunction } from '../../intake/insert-requests.sql.ts';
import type { Tables } from '../../tables/tables.ts';
import type { OverduePlan } from './plan-overdue.ts';

const channelEnd = sql.raw(channelEndFunction.name);
const keepUntil = sql.raw(keepUntilFunction.name);

/**
 * Returns locked requests to their channel, with its whole time where it was cut short, or moves them to the next one.
 * Their attempts have ended.
 */
export async function requeueRequests(
  trx: Transaction<Tables>,
  plans: readonly OverduePlan[],
): Promise<void> {
  const putBack = plans.filter(({ next }) => next.kind === 'put_back').map(({ requestId }) => requestId);
  const moved = plans.flatMap(({ requestId, outage, next }) =>
    next.kind === 'next_channel' ? [{ requestId, isForOutage: outage !== null, ...next }] : [],
  );
  const kept = plans.flatMap(({ requestId, next }) =>
    next.kind === 'keep' ? [{ requestId, seconds: next.seconds }] : [],
  );
  if (kept.length > 0)
    await sql`
      update work_queue set channel_until = channel_entered_at + make_interval(secs => kept.seconds),
        lease = null, leased_at = null, leased_until = null
      from unnest(${kept.map(({ requestId }) => requestId)}::text[], ${kept.map(({ seconds }) => seconds)}::float8[])
        as kept (id, seconds)
      where request_id = kept.id and request_id = any (${kept.map(({ requestId }) => requestId)}::text[])`.execute(
      trx,
    );
  if (putBack.length > 0)
    await sql`
      update work_queue set lease = null, leased_at = null, leased_until = null
      where request_id = any (${putBack}::text[])`.execute(trx);
  if (moved.length > 0)
    await sql`
      update work_queue set channel = moved.source, channel_entered_at = now(),
        channel_until = case when keep_seconds is null then ${channelEnd}(moved.seconds_max, needed_by)
          else ${keepUntil}(keep_seconds, is_last, now(), needed_by, batch_id is not null) end,
        returns_to_api = is_for_outage or returns_to_api and attempt_count = 0,
        attempt_count = 0, waits_since = now(), postponed = false, call_back_at = null, call_back_by = null, call_back_is_own = false, lease = null, leased_at = null, leased_until = null
      from unnest(
        ${moved.map(({ requestId }) => requestId)}::text[], ${moved.map(({ source }) => source)}::text[],
        ${moved.map(({ seconds }) => seconds)}::float8[], ${moved.map(({ keeping }) => keeping?.seconds ?? null)}::bigint[],
        ${moved.map(({ keeping }) => keeping?.isLast ?? false)}::boolean[],
        ${moved.map(({ isForOutage }) => isForOutage)}::boolean[]
      ) as moved (id, source, seconds_max, keep_seconds, is_last, is_for_outage)
      where request_id = moved.id and request_id = any (${moved.map(({ requestId }) => requestId)}::text[])`.execute(
      trx,
    );
  if (putBack.length + kept.length + moved.length > 0)
    await sql`select pg_notify('work_due', '')`.execute(trx);
}

/**
 * Ends the channel's time of requests whose agent result was dismissed, so that the next search for overdue ones
 * moves them on. Skips locked ones: their held output is being applied, or their channel's time is over.
 */
export async function endChannelOfDismissed(
  trx: Transaction<Tables>,
  requestIds: readonly string[],
): Promise<void> {
  await sql`
    update work_queue set channel_until = now() where request_id in (
      select request_id from work_queue
      where request_id = any (${requestIds}::text[]) and postponed and waits_since = channel_until
      for no key update skip locked
    )`.execute(trx);
}

interface AttemptEnd {
  readonly outcome: Exclude<AttemptResult, 'working'>;
  readonly errorReason?: string | null;
  readonly evidence?: Buffer | null;
  /** When it ended; defaults to now. */
  readonly endedAt?: Date | null;
}

/** Ends the open attempt of a locked request, if any: a request has at most one. */
export async function endAttempt(
  trx: Transaction<Tables>,
  requestId: string,
  { outcome, errorReason = null, evidence = null, endedAt = null }: AttemptEnd,
): Promise<void> {
  await trx
    .updateTable('verification_attempt')
    .set({
      ended_at: endedAt ?? sql<Date>`now()`,
      outcome,
      error_reason: errorReason,
      evidence,
    })
    .where('request_id', '=', requestId)
    .where('ended_at', 'is', null)
    .execute();
}

/**
 * For locked requests: ends the attempts whose lease lapsed, and writes a timed-out attempt for each untried channel.
 */
export async function endAttempts(
  trx: Transaction<Tables>,
  vault: Vault,
  plans: readonly OverduePlan[],
): Promise<void> {
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
  if (timedOut.length === 0) return;
  const notes = await Promise.all(
    timedOut.map(
      async ({ requestId, outage }) =>
        outage &&
        encryptEvidence(
          vault,
          { id: requestId, account_id: outage.accountId, attempt_number: outage.attemptNumber },
          { note: outage.note },
        ),
    ),
  );
  await sql`
      insert into verification_attempt
        (request_id, number, account_id, payer_id, channel, started_at, ended_at, outcome, error_reason, evidence)
      select request_id, ${nextAttemptNumber(sql`work_queue.request_id`)}, account_id, payer_id, source,
        case when channel = 'entry' then waits_since else channel_entered_at end, now(), 'timed_out',
        case when note is not null then 'payer_unavailable' end, note
      from unnest(
        ${timedOutIds}::text[], ${timedOut.map(({ timedOutIn }) => timedOutIn)}::text[], ${notes}::bytea[]
      ) as timed_out (id, source, note)
      join work_queue on request_id = timed_out.id and request_id = any (${timedOutIds}::text[])`.execute(
    trx,
  );
}
