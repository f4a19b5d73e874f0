import { type DoneWork, initialsOf, type WorkDay } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { withinOrWorked } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { decryptOrNull } from '../encryption/encrypt.ts';
import { LAST_WITHIN_RULE, type QuantileRow, quantilesOf } from '../facts/histogram.ts';
import { factsWithin } from '../facts/read-times.ts';
import { openRequestInfo } from '../intake/read-request.ts';
import { isSeeminglyReceived, KNOWN_ANSWERS_ACCOUNT_ID } from '../known-answers/known-answers-account.ts';
import type { Store } from '../open-store.ts';

/** No person finishes so many by hand in a day. */
const COUNT_MAX = 300;

interface DoneRow extends Omit<DoneWork, 'request_id' | 'payer' | 'patient_initials' | 'ended_at'> {
  id: string;
  account_id: string;
  payer_name: string;
  input: Buffer;
  ended_at: Date;
}

/**
 * Lists the requests that the caller finished by hand since a time, a day ago at the earliest, latest first: those
 * that it may still open. Omits erased requests, and results that the caller has corrected.
 */
export async function listOwnDone(
  { db, vault, firstDeliveryDelaySeconds }: Store,
  { caller, since }: { readonly caller: Caller; readonly since: Date | undefined },
): Promise<DoneWork[]> {
  const { rows } = await sql<DoneRow>`
    select request.id, request.account_id, request.payer_name, request.input, done.channel, done.ended_at, done.outcome,
      done.error_reason, done.result_version, case
        when request.account_id <> ${KNOWN_ANSWERS_ACCOUNT_ID} then (
          select status from delivery where delivery.request_id = request.id and delivery.version = done.result_version
          order by delivery.id desc limit 1)
        when done.result_version is not null then
          case when ${isSeeminglyReceived(sql`done.ended_at`, firstDeliveryDelaySeconds)} then 'delivered' else 'pending' end
        end as delivery
    from verification_attempt as done join request on request.id = done.request_id
    where done.key_id = ${caller.keyId} and done.channel in ('manual_web_portal', 'manual_phone_call')
      and done.ended_at >= greatest(${since ?? null}::timestamptz, now() - interval '1 day')
      and done.outcome in ('succeeded', 'failed') and not exists (
        select from verification_attempt as corrected
        where corrected.request_id = done.request_id and corrected.key_id = done.key_id
          and corrected.number > done.number and done.result_version is not null and corrected.result_version is not null)
      and request.erased_at is null and ${withinOrWorked(caller)}
    order by done.ended_at desc, request.id desc limit ${COUNT_MAX}`.execute(db);
  await recordAccess(db, {
    caller,
    operation: 'work.done',
    requestIds: [...new Set(rows.map(({ id }) => id))],
  });
  return Promise.all(
    rows.map(async ({ id, account_id, payer_name, input, ended_at, ...done }) => {
      const info = await decryptOrNull(openRequestInfo(vault, { id, account_id, input }));
      return {
        ...done,
        request_id: id,
        payer: payer_name,
        patient_initials: initialsOf(info?.patient_info.name),
        ended_at: ended_at.toISOString(),
      };
    }),
  );
}

/** Measures the caller's own work by hand since a time, a day ago at the earliest. Without ids or patients' data. */
export async function measureOwnDay(
  { db }: Store,
  { caller, since }: { readonly caller: Caller; readonly since: Date | undefined },
): Promise<WorkDay> {
  const { rows } = await sql<WorkDay>`
    select (count(distinct request_id) filter (where outcome = 'succeeded'))::int as done_count,
      count(*) filter (where outcome = 'failed')::int as failed_count,
      percentile_cont(0.5) within group (order by extract(epoch from ended_at - started_at)::float8)
        filter (where lease_hash is not null) as seconds_p50,
      (select count(*)::int from draft join request on request.id = draft.request_id
        where draft.written_by = ${caller.keyId} and request.outcome = 'none') as draft_count
    from verification_attempt
    where key_id = ${caller.keyId} and channel in ('manual_web_portal', 'manual_phone_call')
      and ended_at >= greatest(${since ?? null}::timestamptz, now() - interval '1 day')
      and outcome in ('succeeded', 'failed')`.execute(db);
  const [day] = rows;
  if (!day) throw new Error('An aggregate without groups has one row.');
  return day;
}

/** One channel of one payer in the last 24 whole hours and the current one. */
export interface ChannelDay {
  readonly payer_id: string;
  readonly channel: string;
  readonly succeeded: number;
  readonly failed: number;
  readonly within_share: number | null;
  readonly failures: readonly { readonly error_reason: string; readonly count: number }[] | null;
  readonly p50: number | null;
  readonly p90: number | null;
  readonly max_ms: QuantileRow['max_ms'] | null;
}

/** Of a fact about attempts: the payer answered, also with a rejection. */
const IS_ANSWER = sql`coalesce(reason, '') not in ('payer_unavailable', 'payer_throttled', 'payer_response_invalid')`;

/**
 * Counts the outcomes of the last day's attempts, of live or of test accounts, from the facts. Those at requests whose
 * answer is known count too: a verifier sees each of their own attempts here.
 */
export async function measureDay({ db }: Store, mode: Caller['mode']): Promise<ChannelDay[]> {
  const facts = factsWithin({
    scopes: mode === 'live' ? [mode, KNOWN_ANSWERS_ACCOUNT_ID] : [mode],
    kinds: ['attempt_succeeded', 'attempt_failed', 'completed'],
    from: sql<Date>`date_trunc('hour', now() - interval '24 hours', 'UTC')`,
    until: sql<Date>`'infinity'::timestamptz`,
  });
  const bucketed = sql`
    select payer_id, channel, bucket, sum(n) as n, max(max_ms) as max_ms
    from fact, unnest(buckets, bucket_counts) as histogram (bucket, n)
    where kind = 'completed' group by payer_id, channel, bucket`;
  const { rows } = await sql<ChannelDay>`
    with fact as materialized (${facts}
    ), ended as (
      select payer_id, channel,
        coalesce(sum(count) filter (where kind = 'attempt_succeeded'), 0)::int as succeeded,
        coalesce(sum(count) filter (where kind = 'attempt_failed'), 0)::int as failed,
        sum((select sum(n) from unnest(buckets, bucket_counts) as histogram (bucket, n)
          where bucket <= ${sql.lit(LAST_WITHIN_RULE)})) filter (where ${IS_ANSWER})::float8
          / nullif(sum(count) filter (where ${IS_ANSWER}), 0)::float8 as within_share
      from fact where kind <> 'completed' group by payer_id, channel
    ), failure as (
      select payer_id, channel,
        jsonb_agg(jsonb_build_object('error_reason', reason, 'count', count) order by count desc, reason) as failures
      from (select payer_id, channel, reason, sum(count) as count from fact
        where kind = 'attempt_failed' and reason <> '' group by payer_id, channel, reason) as counted
      group by payer_id, channel
    ), quantile as (${quantilesOf(bucketed, ['payer_id', 'channel'])})
    select *, coalesce(succeeded, 0) as succeeded, coalesce(failed, 0) as failed
    from ended full join quantile using (payer_id, channel) left join failure using (payer_id, channel)`.execute(
    db,
  );
  return rows;
}
