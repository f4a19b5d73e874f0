import { api } from '../../api/api.ts';
import { createTurns } from '../turns.ts';
import { changeJob, failed, jobOf } from './desk.ts';
import { forgetLease } from './remembered-lease.ts';

/**
 * What is asked about a lease goes one after another, the taking and the giving up too: a heartbeat that crossed the call
 * that ends its lease would be refused, and freeze the form although the request may be on the bench anew.
 */
export const inLeaseTurn = createTurns();

/** Renews a lease. */
export const keepLease = (requestId: string): Promise<void> => renew(requestId, api.work.heartbeat);

/** Says that the call with the payer begins, which holds lease and session, or that it is over. */
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

/** The form freezes; what was typed stays. */
export function loseLease(requestId: string): void {
  forgetLease(requestId);
  changeJob(requestId, { lease: 'lost', onCallUntil: null });
}
