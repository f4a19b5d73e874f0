import { api } from '../api/api.ts';
import { serverNow } from '../api/server-time.ts';
import { createTurns } from '../api/turns.ts';
import { changeJob, failed, forgetLease, type Job, jobOf, type Kept } from './desk.ts';

/**
 * Runs the calls about one lease in order, taking and giving up included: a heartbeat that overtook the call which ends
 * its lease would be refused, and mark a lease that was taken again as lost.
 */
export const inLeaseTurn = createTurns();

/** Renews a lease. */
export const keepLease = (requestId: string): Promise<void> => renew(requestId, api.work.heartbeat.mutate);

/** What keeps a lease now; null where the heartbeats do. */
export const keptNow = ({ kept }: Job): Kept | null => (kept && serverNow() < kept.until ? kept : null);

/** Starts the phone call with the payer, which extends lease and session (`work.startCall`), or ends it. */
export async function toggleCall(requestId: string): Promise<void> {
  const job = jobOf(requestId);
  const isOver = job !== undefined && keptNow(job)?.place === 'phone';
  await renew(requestId, isOver ? api.work.endCall.mutate : api.work.startCall.mutate, (until) =>
    isOver ? null : { place: 'phone', until },
  );
}

/** Begins the reading of the payer's portal, which extends lease and session; a phone call continues. */
export const enterPortal = (requestId: string): Promise<void> =>
  renew(
    requestId,
    (lease) => api.work.startCall.mutate({ ...lease, place: 'portal' }),
    (until, job) => {
      const before = keptNow(job);
      return before?.place === 'phone' ? before : { place: 'portal', until };
    },
  );

type Renewal = (lease: {
  readonly request_id: string;
  readonly lease_token: string;
}) => Promise<{ readonly lease_expires_at: string }>;

const renew = (
  requestId: string,
  renewal: Renewal,
  keptFrom?: (leaseEndsAt: number, job: Job) => Kept | null,
): Promise<void> =>
  inLeaseTurn(requestId, async () => {
    const job = jobOf(requestId);
    if (!job || job.lease === 'lost') return;
    try {
      const lease = { request_id: requestId, lease_token: job.item.lease_token };
      const leaseEndsAt = Date.parse((await renewal(lease)).lease_expires_at);
      changeJob(requestId, { leaseEndsAt, ...(keptFrom && { kept: keptFrom(leaseEndsAt, job) }) });
    } catch (err) {
      const { code, kind } = failed(err);
      if (code === 'lease_lost' || code === 'request_erased' || kind === 'not_found') loseLease(requestId);
    }
  });

/** Marks the lease as lost: the form becomes read-only and keeps its text. */
export function loseLease(requestId: string): void {
  forgetLease(requestId);
  changeJob(requestId, { lease: 'lost', kept: null });
}
