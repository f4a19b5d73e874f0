import { api } from '../../api/api.ts';
import { failureOf } from '../../api/failure.ts';
import { keepNow } from '../draft/keep-draft.ts';
import { unsentOf } from '../outbox/outbox.ts';
import { showOutcome } from '../outbox/show-outcome.ts';
import { whose } from '../outbox/whose.ts';
import { dropJob, failed, jobOf } from './desk.ts';
import { inLeaseTurn, loseLease } from './lease-clock.ts';

interface GivingUp {
  readonly reason: Parameters<typeof api.work.fail.mutate>[0]['error_reason'];
  readonly note: string;
  readonly final: boolean;
}

/** Fails the attempt (`work.fail`) with a reason, and reports the outcome. */
export async function giveUp(requestId: string, { reason, note, final }: GivingUp): Promise<void> {
  await keepNow(requestId);
  await inLeaseTurn(requestId, async () => {
    const job = jobOf(requestId);
    if (!job) return;
    const { status } = await api.work.fail.mutate({
      request_id: requestId,
      lease_token: job.item.lease_token,
      error_reason: reason,
      note: note.trim() || null,
      reference: job.draft.reference.trim() || null,
      final,
    });
    const name = whose(job.item);
    dropJob(requestId);
    showOutcome(
      status === 'next_channel'
        ? `The request goes on to the next channel: ${name}.`
        : `The request ends here, and the provider is told why: ${name}.`,
    );
  });
}

/** Releases a request that nobody works on any more, and leaves its form on screen, read-only. */
export async function letGo(requestId: string): Promise<void> {
  const token = jobOf(requestId)?.item.lease_token;
  loseLease(requestId);
  await keepNow(requestId);
  if (token === undefined) return;
  const release = { request_id: requestId, lease_token: token };
  await inLeaseTurn(requestId, () => api.work.release.mutate(release)).catch(failed);
}

/** Releases a request (`work.release`). The draft is kept for the next person. */
export async function giveBack(requestId: string): Promise<void> {
  await keepNow(requestId);
  await inLeaseTurn(requestId, async () => {
    const job = jobOf(requestId);
    if (job?.lease === 'held')
      await api.work.release
        .mutate({ request_id: requestId, lease_token: job.item.lease_token })
        .catch((err: unknown) => {
          const { code } = failureOf(err);
          if (code !== 'lease_lost') throw err;
        });
    dropJob(requestId);
  });
}

/** Releases a request whose page is left, unless its result is on its way, or the person is on a call or in the portal. */
export function leave(requestId: string): void {
  const job = jobOf(requestId);
  if (job?.lease === 'held' && job.kept === null && !unsentOf(requestId))
    void giveBack(requestId).catch(failed);
}
