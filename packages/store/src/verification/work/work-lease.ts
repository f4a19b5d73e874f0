import { createHash } from 'node:crypto';
import type { FailureReason, RenewedLease, VerificationSource } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { within, withinChannels, withinPayers } from '../../access/reach.ts';
import { recordAccess } from '../../access/record-access.ts';
import { withoutFlush } from '../../connection/role-settings.ts';
import { type Evidence, encryptEvidence } from '../../evidence/attempt-evidence.ts';
import { channelEndFunction, keepUntilFunction } from '../../intake/insert-requests.sql.ts';
import { type LockedRequest, lockRequest } from '../../intake/lock-request.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import { applyFinding, openLocked } from '../../output/apply-findings.ts';
import type { QueueName, Route } from '../../tables/intake.ts';
import type { Tables } from '../../tables/tables.ts';
import { type AfterFailure, planAfterFailure } from '../overdue/plan-overdue.ts';
import { endAttempt } from '../overdue/requeue.ts';

/** A verifier's hold on a request. The token is a fencing token: a verifier that lost the lease changes nothing. */
export interface WorkLease {
  readonly caller: Caller;
  readonly requestId: string;
  /** Any text; one that is not a token of ours is treated as stale. */
  readonly leaseToken: string;
}

/** A locked request whose lease holds. */
export interface LeasedRequest extends LockedRequest {
  readonly channel: QueueName;
  /** Of the attempt under way. */
  readonly attempt_number: number;
}

type LockedLease =
  | { readonly kind: 'held'; readonly request: LeasedRequest }
  /** `erased`: the data of the request is gone, and with it the lease. */
  | { readonly kind: 'not_found' | 'lease_lost' | 'erased' };

/**
 * Whether a verifier may work in a channel. Every verifier may take a request of `entry`, which no channel has tried,
 * or of none.
 */
function worksIn({ verifyWithin }: Caller, channel: QueueName | null): boolean {
  const channels = verifyWithin?.channels;
  return !channels || channel === null || channel === 'entry' || channels.includes(channel);
}

/** Locks the request and returns it if the lease still holds. */
export async function lockLease(trx: Transaction<Tables>, lease: WorkLease): Promise<LockedLease> {
  return leaseIn(await lockRequest(trx, lease.requestId, lease.caller), lease);
}

/** Returns a locked request if the lease still holds; `request` is null where none is within reach. */
export function leaseIn(
  request: LockedRequest | null,
  { caller, leaseToken }: Omit<WorkLease, 'requestId'>,
): LockedLease {
  if (!request || !worksIn(caller, request.channel)) return { kind: 'not_found' };
  if (request.erased_at) return { kind: 'erased' };
  const { channel, attempt_number } = request;
  const isHeld = request.lease === leaseToken && request.lease_holds;
  if (!isHeld || channel === null || attempt_number === null) return { kind: 'lease_lost' };
  return { kind: 'held', request: { ...request, channel, attempt_number } };
}

interface WorkHeartbeat extends WorkLease {
  /** The lease's new duration. */
  readonly leaseSeconds: number;
}

type RenewedWork =
  | { readonly kind: 'renewed'; readonly lease: RenewedLease }
  | { readonly kind: 'not_found' | 'lease_lost' | 'erased' };

/** Renews a lease that still holds. Never shortens it: a phone call may have extended it further. */
export async function heartbeatWork(
  { db }: Store,
  { caller, requestId, leaseToken, leaseSeconds }: WorkHeartbeat,
): Promise<RenewedWork> {
  if (!isIssuedId('req', requestId)) return { kind: 'not_found' };
  // Postgres refuses a text with NUL; none of our tokens contains one.
  const withoutNul = leaseToken.replaceAll('\0', '?');
  const { rows } = await sql<{ lease_until: Date | null; is_erased: boolean }>`
    with renewed as (
      update work_queue set leased_at = now(), leased_until = greatest(leased_until, now() + make_interval(secs => ${leaseSeconds}))
      where request_id = ${requestId} and lease::text = ${withoutNul}
        and (leased_until > clock_timestamp() and leased_at <= clock_timestamp() + interval '5 seconds') is true -- found by its key, not by an index of leases
        and ${within(caller, 'account_id')} and ${withinPayers(caller, 'payer_id')} and ${withinChannels(caller, 'channel')}
      returning leased_until, ${withoutFlush}
    )
    select (select leased_until from renewed) as lease_until, erased_at is not null as is_erased from request
    where id = ${requestId} and ${within(caller, 'account_id')} and ${withinPayers(caller, 'payer_id')}`.execute(
    db,
  );
  const [row] = rows;
  if (!row) return { kind: 'not_found' };
  if (row.is_erased) return { kind: 'erased' };
  if (!row.lease_until) return { kind: 'lease_lost' };
  return { kind: 'renewed', lease: { lease_expires_at: row.lease_until.toISOString() } };
}

interface WorkRelease extends WorkLease {
  readonly reason?: string | null | undefined;
}

export interface ReleasedWork {
  readonly kind: 'released' | 'not_found' | 'lease_lost' | 'erased';
}

/**
 * Returns a request untried: it waits in the same channel again, after those already waiting, and the attempt does
 * not count.
 */
export async function releaseWork(store: Store, release: WorkRelease): Promise<ReleasedWork> {
  return store.db.transaction().execute(async (trx): Promise<ReleasedWork> => {
    const lease = await lockLease(trx, release);
    if (lease.kind !== 'held') return lease;
    const { request } = lease;
    const { id: requestId } = request;
    const evidence = await encryptEvidence(store.vault, request, { note: release.reason });
    await endAttempt(trx, requestId, { outcome: 'released', evidence });
    await sql`
      with notified as (select pg_notify('work_due', ''))
      update work_queue set lease = null, leased_at = null, leased_until = null, waits_since = now(),
        attempt_count = greatest(attempt_count - 1, 0)
      from notified where request_id = ${requestId}`.execute(trx);
    await recordAccess(trx, { caller: release.caller, operation: 'work.release', requestIds: [requestId] });
    return { kind: 'released' };
  });
}

interface WorkFailure extends WorkLease {
  readonly routes: readonly Route[];
  readonly errorReason: FailureReason;
  readonly evidence: Evidence;
  /** No other channel can succeed either. */
  readonly final: boolean;
}

type FailedWork =
  | { readonly kind: 'next_channel'; readonly channel: VerificationSource }
  | { readonly kind: 'error_verifying' }
  | { readonly kind: 'not_found' | 'lease_lost' | 'erased' };

const OPERATION = 'work.fail';

/**
 * Reports that this channel cannot verify the request: it moves to the next channel of its route, or ends as
 * `error_verifying`, delivered like any result. The attempt records the reason either way.
 */
export async function failWork(store: Store, failure: WorkFailure): Promise<FailedWork> {
  return store.db.transaction().execute(async (trx): Promise<FailedWork> => {
    const lease = await lockLease(trx, failure);
    if (lease.kind === 'lease_lost') return (await failedBefore(trx, failure)) ?? lease;
    if (lease.kind !== 'held') return lease;
    const { request } = lease;
    const { id: requestId } = request;
    const { caller, errorReason, final } = failure;
    const evidence = await encryptEvidence(store.vault, request, failure.evidence);
    const next = planAfterFailure(
      failure.routes.find(({ payerId }) => payerId === request.payer_id),
      { queue: request.channel, errorReason, final, earlierReason: null },
    );
    if (next.kind === 'next_channel') {
      await endAttempt(trx, requestId, { outcome: 'failed', errorReason, evidence });
      await moveRequest(trx, request, next);
      await recordAccess(trx, { caller, operation: OPERATION, requestIds: [requestId] });
      return { kind: 'next_channel', channel: next.source };
    }
    await applyFinding(trx, store, {
      request: await openLocked(store.vault, request),
      finding: { outcome: 'error_verifying', errorReason: next.errorReason, insuranceData: [] },
      caller,
      operation: OPERATION,
      attempt: { isLeased: true, channel: null, evidence },
    });
    return { kind: 'error_verifying' };
  });
}

/** Repeats the answer of the same report under the same lease, which the verifier may not have received; null for none. */
async function failedBefore(
  trx: Transaction<Tables>,
  { caller, requestId, leaseToken, errorReason }: WorkFailure,
): Promise<FailedWork | null> {
  const made = await trx
    .selectFrom('verification_attempt as attempt')
    .leftJoin('work_queue', 'work_queue.request_id', 'attempt.request_id')
    .select(['attempt.result_version', 'work_queue.channel'])
    .where('attempt.request_id', '=', requestId)
    .where('attempt.lease_hash', '=', createHash('sha256').update(leaseToken).digest())
    .where('attempt.outcome', '=', 'failed')
    .where('attempt.error_reason', '=', errorReason)
    .executeTakeFirst();
  if (!made) return null;
  const { result_version: version, channel } = made;
  const isOver = version !== null;
  const next = channel === 'entry' ? null : channel;
  if (!isOver && next === null) return null;
  await recordAccess(trx, { caller, operation: OPERATION, requestIds: [requestId] });
  return isOver || next === null ? { kind: 'error_verifying' } : { kind: 'next_channel', channel: next };
}

interface WorkRetry extends WorkLease {
  readonly errorReason: FailureReason;
  readonly evidence: Evidence;
  /** Seconds until it may be claimed again. */
  readonly pauseSeconds: number;
  /** Attempts that count in the channel; with this one as the last of them nothing is retried. Null: it does not count. */
  readonly attemptCountMax: number | null;
}

/** `used_up`: nothing changed, and the lease still holds. */
interface RetriedWork {
  readonly kind: 'retried' | 'used_up' | 'not_found' | 'lease_lost' | 'erased';
}

/**
 * Returns a request to its channel, where it is tried again later, since the payer did not answer. The attempt keeps the
 * reason, and the request its place and the end of its time.
 */
export async function retryWork(store: Store, retry: WorkRetry): Promise<RetriedWork> {
  return store.db.transaction().execute(async (trx): Promise<RetriedWork> => {
    const lease = await lockLease(trx, retry);
    if (lease.kind !== 'held') return lease;
    const { request } = lease;
    const { attemptCountMax: max, errorReason } = retry;
    const { numAffectedRows } = await sql`
      update work_queue set lease = null, leased_at = null, leased_until = null,
        waits_since = now() + make_interval(secs => ${retry.pauseSeconds}), postponed = ${retry.pauseSeconds > 0},
        attempt_count = attempt_count - ${max === null ? 1 : 0}
      where request_id = ${request.id} and (${max}::int is null or attempt_count < ${max}::int)`.execute(trx);
    if (numAffectedRows === 0n) return { kind: 'used_up' };
    const evidence = await encryptEvidence(store.vault, request, retry.evidence);
    await endAttempt(trx, request.id, { outcome: 'failed', errorReason, evidence });
    await recordAccess(trx, { caller: retry.caller, operation: OPERATION, requestIds: [request.id] });
    return { kind: 'retried' };
  });
}

/** Moves a locked request to a channel, where it waits from now on. Its open attempt must have ended. */
async function moveRequest(
  trx: Transaction<Tables>,
  request: LockedRequest,
  { source, seconds, keeping }: Extract<AfterFailure, { readonly kind: 'next_channel' }>,
): Promise<void> {
  const until = keeping
    ? sql`${sql.raw(keepUntilFunction.name)}(${keeping.seconds}, ${keeping.isLast}, now(), needed_by, batch_id is not null)`
    : sql`${sql.raw(channelEndFunction.name)}(${seconds}, needed_by)`;
  await sql`
    with notified as (select pg_notify('work_due', ''))
    update work_queue set channel = ${source}, channel_entered_at = now(), channel_until = ${until}, attempt_count = 0,
      waits_since = now(), returns_to_api = false, lease = null, leased_at = null, leased_until = null
    from notified where request_id = ${request.id}`.execute(trx);
}

interface Postponement extends WorkLease {
  /** Seconds; `never`: for good; `test_verifiers`: until one of those claims it, since the sandbox no longer does. */
  readonly until: number | 'never' | 'test_verifiers';
}

interface PostponedWork {
  readonly kind: 'postponed' | 'not_found' | 'lease_lost' | 'erased';
}

/** Returns a sandbox request as if it had not been claimed: the sandbox only checked it. */
export async function postponeSandbox({ db }: Store, { until, ...of }: Postponement): Promise<PostponedWork> {
  return db.transaction().execute(async (trx): Promise<PostponedWork> => {
    const lease = await lockLease(trx, of);
    if (lease.kind !== 'held') return lease;
    const { request } = lease;
    await trx
      .deleteFrom('verification_attempt')
      .where('request_id', '=', request.id)
      .where('ended_at', 'is', null)
      .execute();
    await sql`
      update work_queue set lease = null, leased_at = null, leased_until = null, channel = 'entry', channel_until = null,
        attempt_count = 0, postponed = ${until !== 'test_verifiers'}, pool = ${until === 'test_verifiers' ? 'test' : 'sandbox'},
        waits_since = now() + case when ${until === 'never'} then interval '100 years'
          else make_interval(secs => ${typeof until === 'number' ? until : 0}::float8) end
      where request_id = ${request.id} and pool <> 'live'`.execute(trx);
    return { kind: 'postponed' };
  });
}
