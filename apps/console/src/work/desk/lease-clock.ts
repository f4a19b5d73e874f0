import { api } from '../../api/api.ts';
import { createTurns } from '../turns.ts';
import { changeJob, failed, jobOf } from './desk.ts';
import { forgetLease } from './remembered-lease.ts';

/**
 * Runs the calls about one lease in order, taking and giving up included: a heartbeat that overtook the call which ends
 * its lease would be refused, and mark a lease that was taken anew as lost.
 */
export const inLeaseTurn = createTurns();

/** Renews a lease. */
export const keepLease = (requestId: string): Promise<void> => renew(requestId, api.work.heartbeat);

/** Starts the phone call with the payer, which extends lease and session (`work.startCall`), or ends it. */
export async function toggleCall(requestId: string): Promise<void> {
  const isOver = jobOf(requestId)?.onCallUntil !== null;
  await renew(requestId, isOver ? api.work.endCall : api.work.startCall, (endsAt) =>
    isOver ? null : endsAt,
  );
}

type Renewal = Pick<typeof api.work.heartbeat, 'mutate'>;

const renew = (
  requestId: string,
  renewal: Renewal,
  onCallUntil?: (leaseEndsAt: number) => number | null,
): Promise<void> =>
  inLeaseTurn(requestId, async () => {
    const job = jobOf(requestId);
    if (!job || job.lease === 'lost') return;
    try {
      const lease = { request_id: requestId, lease_token: job.item.lease_token };
      const leaseEndsAt = Date.parse((await renewal.mutate(lease)).lease_expires_at);
      changeJob(requestId, { leaseEndsAt, ...(onCallUntil && { onCallUntil: onCallUntil(leaseEndsAt) }) });
    } catch (err) {
      const { code, kind } = failed(err);
      if (code === 'lease_lost' || kind === 'not_found') loseLease(requestId);
    }
  });

/** Marks the lease as lost: the form becomes read-only and keeps its text. */
export function loseLease(requestId: string): void {
  forgetLease(requestId);
  changeJob(requestId, { lease: 'lost', onCallUntil: null });
}
