import {
  type DoneWork,
  type ErrorReason,
  initialsOf,
  type OwnCorrection,
  type WorkDay,
} from '@insurance-verification/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { withinOrWorked } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { subjectNameOf } from '../access/subject-name.ts';
import { decryptOrNull } from '../encryption/encrypt.ts';
import { openEvidence } from '../evidence/attempt-evidence.ts';
import { LAST_WITHIN_RULE, type QuantileRow, quantilesOf } from '../facts/histogram.ts';
import { factsWithin } from '../facts/read-times.ts';
import { openRequestInfo } from '../intake/read-request.ts';
import { isSeeminglyReceived, KNOWN_ANSWERS_ACCOUNT_ID } from '../known-answers/known-answers-account.ts';
import type { Store } from '../open-store.ts';
import { openHeldEvidence, openHeldNote } from '../output/held/held-encryption.ts';
import { isTakenBackBy } from './work/take-back.ts';

/** No person finishes so many by hand in a day. */
const COUNT_MAX = 300;

interface DoneRow {
  readonly id: string;
  readonly account_id: string;
  readonly payer_name: string;
  readonly input: Buffer;
  readonly channel: DoneWork['channel'];
  readonly ended_at: Date;
  /** Of the attempt itself, or of the last correction of it that was applied. */
  readonly number: number;
  readonly outcome: DoneWork['outcome'];
  readonly error_reason: ErrorReason | null;
  readonly result_version: number | null;
  readonly evidence: Buffer | null;
  /** Null where that is no correction. */
  readonly corrected_at: Date | null;
  readonly delivery: DoneWork['delivery'];
  readonly applied_at: Date | null;
  readonly can_take_back: boolean;
  /** The last correction that was held; null without one. */
  readonly held_id: string | null;
  readonly held_status: OwnCorrection['status'] | null;
  readonly held_at: Date | null;
  readonly held_evidence: Buffer | null;
  readonly note: Buffer | null;
  readonly settled_at: Date | null;
  /** A JSON string. */
  readonly settled_by_name: string | null;
}

/** Whether a later attempt of the same verifier has replaced the result of `done`, by asking the payer again. */
const IS_REPLACED: RawBuilder<boolean> = sql`exists (
  select from verification_attempt as newer
  where newer.request_id = done.request_id and newer.key_id = done.key_id and newer.number > done.number
    and done.result_version is not null and newer.result_version is not null and newer.corrects is null)`;

/** The attempt `done`, or the last correction of it that was applied: its row is `latest`. */
const LATEST = sql`
  select * from verification_attempt as latest
  where latest.request_id = done.request_id
    and (latest.number = done.number or latest.corrects = done.number and latest.result_version is not null)
  order by latest.number desc limit 1`;

/**
 * Lists the requests that the caller finished by hand since a time, a day ago at the earliest, latest first: those
 * that it may still open. A correction changes what is said of one, and leaves its time. Omits erased requests, and results
 * that a later verification by the caller has replaced.
 */
export async function listOwnDone(
  { db, vault, firstDeliveryDelaySeconds }: Store,
  { caller, since }: { readonly caller: Caller; readonly since: Date | undefined },
): Promise<DoneWork[]> {
  const { rows } = await sql<DoneRow>`
    select request.id, request.account_id, request.payer_name, request.input, done.channel, done.ended_at,
      latest.number, latest.outcome, latest.error_reason, latest.result_version, latest.evidence,
      case when latest.corrects is not null then latest.ended_at end as corrected_at,
      case
        when request.account_id <> ${KNOWN_ANSWERS_ACCOUNT_ID} then (
          select status from delivery where delivery.request_id = request.id and delivery.version = latest.result_version
          order by delivery.id desc limit 1)
        when latest.result_version is not null then
          case when ${isSeeminglyReceived(sql`result.applied_at`, firstDeliveryDelaySeconds)} then 'delivered' else 'pending' end
        end as delivery,
      result.applied_at, ${isTakenBackBy(caller, 'done')} as can_take_back,
      held.id as held_id, held.status as held_status, held.received_at as held_at, held.evidence as held_evidence,
      held.note, held.settled_at, ${subjectNameOf('held.settled_by')} as settled_by_name
    from verification_attempt as done join request on request.id = done.request_id
      cross join lateral (${LATEST}) as latest
      left join result on result.request_id = request.id and result.version = latest.result_version
      left join lateral (
        select * from held_output as offered
        where coalesce(offered.request_id, offered.named_request_id) = request.id and offered.request_id = request.id
          and offered.received_by = done.key_id and offered.evidence is not null and offered.received_at >= done.ended_at
        order by offered.received_at desc limit 1
      ) as held on true
    where done.key_id = ${caller.keyId} and done.channel in ('manual_web_portal', 'manual_phone_call')
      and done.ended_at >= greatest(${since ?? null}::timestamptz, now() - interval '1 day')
      and done.outcome in ('succeeded', 'failed') and done.corrects is null and not ${IS_REPLACED}
      and request.erased_at is null and ${withinOrWorked(caller)}
    order by done.ended_at desc, request.id desc limit ${COUNT_MAX}`.execute(db);
  await recordAccess(db, {
    caller,
    operation: 'work.done',
    requestIds: [...new Set(rows.map(({ id }) => id))],
  });
  return Promise.all(
    rows.map(async (row) => {
      const info = await decryptOrNull(openRequestInfo(vault, row));
      return {
        request_id: row.id,
        payer: row.payer_name,
        patient_initials: initialsOf(info?.patient_info.name),
        channel: row.channel,
        ended_at: row.ended_at.toISOString(),
        attempt: row.number,
        outcome: row.outcome,
        error_reason: row.error_reason,
        result_version: row.result_version,
        delivery: row.delivery,
        applied_at: row.applied_at?.toISOString() ?? null,
        can_take_back: row.can_take_back,
        correction: await openCorrection(vault, row, caller),
      };
    }),
  );
}

/** The caller's last correction: the held one, unless a later one was applied at once. */
async function openCorrection(
  vault: Store['vault'],
  row: DoneRow,
  { keyId }: Caller,
): Promise<OwnCorrection | null> {
  const { id, account_id, held_id: heldId, held_at: heldAt, corrected_at: correctedAt } = row;
  if (heldId !== null && heldAt !== null && (correctedAt === null || heldAt >= correctedAt)) {
    const ref = { id: heldId, account_id, received_by: keyId, named_request_id: null };
    return {
      status: row.held_status ?? 'held',
      corrected_at: heldAt.toISOString(),
      reason:
        (await openHeldEvidence(vault, { ...ref, evidence: row.held_evidence }))?.correctionReason ?? '',
      decided_at: row.settled_at?.toISOString() ?? null,
      decided_by_name: JSON.parse(row.settled_by_name ?? 'null') as string | null,
      note: await openHeldNote(vault, { ...ref, note: row.note }),
    };
  }
  if (correctedAt === null) return null;
  const evidence = await openEvidence(vault, account_id, {
    request_id: id,
    number: row.number,
    evidence: row.evidence,
  });
  return {
    status: 'applied',
    corrected_at: correctedAt.toISOString(),
    reason: evidence.correctionReason ?? '',
    decided_at: null,
    decided_by_name: null,
    note: null,
  };
}

/** Measures the caller's own work by hand since a time, a day ago at the earliest. Without ids or patients' data. */
export async function measureOwnDay(
  { db }: Store,
  { caller, since }: { readonly caller: Caller; readonly since: Date | undefined },
): Promise<WorkDay> {
  const { rows } = await sql<WorkDay>`
    select (count(distinct done.request_id) filter (where latest.outcome = 'succeeded'))::int as done_count,
      count(*) filter (where latest.outcome = 'failed' and not ${IS_REPLACED})::int as failed_count,
      percentile_cont(0.5) within group (order by extract(epoch from done.ended_at - done.started_at)::float8)
        filter (where done.lease_hash is not null) as seconds_p50,
      (select count(*)::int from draft join request on request.id = draft.request_id
        where draft.written_by = ${caller.keyId} and request.outcome = 'none') as draft_count
    from verification_attempt as done cross join lateral (${LATEST}) as latest
    where done.key_id = ${caller.keyId} and done.channel in ('manual_web_portal', 'manual_phone_call')
      and done.ended_at >= greatest(${since ?? null}::timestamptz, now() - interval '1 day')
      and done.outcome in ('succeeded', 'failed') and done.corrects is null`.execute(db);
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
