import { api, serverNow } from '../../api/api.ts';
import { failureOf } from '../../api/failure.ts';
import { lookForDrafts } from '../draft/draft-choice.ts';
import { emptyDraft, type WorkItem } from '../draft/draft.ts';
import { keepNow } from '../draft/keep-draft.ts';
import { NOT_SAVED } from '../draft/keeping.ts';
import { unsentOf, whose } from '../outbox/outbox.ts';
import { showOutcome } from '../outbox/show-outcome.ts';
import { dropJob, failed, jobOf, putJob, rememberLease } from './desk.ts';
import { inLeaseTurn, loseLease } from './lease-clock.ts';
import { endRun, MANUAL_CHANNELS, type Run } from './run.ts';

/**
 * Leases the next request of a run.
 * @returns its id; null where none waits.
 */
export async function takeNext({ payer, channel }: Run): Promise<string | null> {
  const channels = channel === undefined ? [...MANUAL_CHANNELS] : [channel];
  const { items } = await api.work.claim.mutate({ channels, ...(payer && { payers: [payer] }), max: 1 });
  const [item] = items;
  if (item) {
    const requestId = addJob(item);
    // At the first attempt nobody has written anything yet.
    if (item.attempt > 1) void lookForDrafts(requestId);
    return requestId;
  }
  endRun();
  return null;
}

/**
 * Leases one request by its id, also where another tab of the same person has it. Text that was typed about it in this
 * tab stays.
 */
export async function takeNamed(requestId: string): Promise<void> {
  const claim = { request_id: requestId, channels: [...MANUAL_CHANNELS], take_over: true };
  await inLeaseTurn(requestId, async () => {
    addJob(await api.work.claimRequest.mutate(claim));
    void lookForDrafts(requestId); // also at the first attempt, which a reload continues
  });
}

function addJob(item: WorkItem): string {
  const requestId = item.request.request_id ?? '';
  const leaseEndsAt = Date.parse(item.lease_expires_at);
  const before = jobOf(requestId);
  putJob(requestId, {
    item,
    draft: before?.draft ?? emptyDraft(item),
    keeping: before?.keeping ?? NOT_SAVED,
    leaseEndsAt,
    leaseMs: leaseEndsAt - serverNow(),
    lease: 'held',
    kept: null,
    faults: {},
    doubts: {},
  });
  rememberLease(requestId);
  return requestId;
}

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
