import type { FailureReason, VerificationSource } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import { recordAccess } from '../../access/record-access.ts';
import { type Evidence, sealEvidence } from '../../evidence/attempt-evidence.ts';
import { channelEndFunction } from '../../intake/channel-end.sql.ts';
import type { LockedRequest } from '../../intake/lock-request.ts';
import type { Store } from '../../open-store.ts';
import { applyFinding, openFoundRequest } from '../../output/apply-finding.ts';
import type { Route, RouteChannel } from '../../tables/route.ts';
import type { Tables } from '../../tables/tables.ts';
import { endAttempt } from '../overdue/end-attempt.ts';
import { planAfterFailure } from '../overdue/plan-after-failure.ts';
import { lockLease, type WorkLease } from './lock-lease.ts';

export interface WorkFailure extends WorkLease {
  readonly routes: readonly Route[];
  readonly errorReason: FailureReason;
  readonly evidence: Evidence;
  /** No other channel can succeed either. */
  readonly final: boolean;
}

export type FailedWork =
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
    if (lease.kind !== 'held') return lease;
    const { request } = lease;
    const { id: requestId } = request;
    const { caller, errorReason, final } = failure;
    const evidence = await sealEvidence(store.vault, request, failure.evidence);
    const next = planAfterFailure(
      failure.routes.find(({ payerId }) => payerId === request.payer_id),
      { queue: request.channel, errorReason, final, earlierReason: null },
    );
    if (next.kind === 'next_channel') {
      await endAttempt(trx, requestId, { outcome: 'failed', errorReason, evidence });
      await moveRequest(trx, request, next.channel);
      await recordAccess(trx, { caller, operation: OPERATION, requestIds: [requestId] });
      return { kind: 'next_channel', channel: next.channel.source };
    }
    await applyFinding(trx, store, {
      request: await openFoundRequest(store.vault, request),
      finding: { outcome: 'error_verifying', errorReason: next.errorReason, insuranceData: [] },
      caller,
      operation: OPERATION,
      attempt: { isLeased: true, channel: null, evidence },
    });
    return { kind: 'error_verifying' };
  });
}

/** Moves a locked request to a channel, where it waits from now on. Its open attempt must have ended. */
async function moveRequest(
  trx: Transaction<Tables>,
  request: LockedRequest,
  channel: RouteChannel,
): Promise<void> {
  await sql`
    with notified as (select pg_notify('work_due', ''))
    update work_queue set channel = ${channel.source}, channel_entered_at = now(),
      channel_until = ${sql.raw(channelEndFunction.name)}(${channel.secondsMax}, needed_by), attempt_count = 0, waits_since = now(),
      lease = null, leased_at = null, leased_until = null
    from notified where request_id = ${request.id}`.execute(trx);
}
