import { api } from '../../api/api.ts';
import { serverNow } from '../../api/server-time.ts';
import { lookForDrafts } from '../draft/draft-choice.ts';
import { emptyDraft, type WorkItem } from '../draft/draft.ts';
import { NOT_SAVED } from '../draft/keeping.ts';
import { jobOf, putJob } from './desk.ts';
import { inLeaseTurn } from './lease-clock.ts';
import { rememberLease } from './remembered-lease.ts';
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
