import { api } from '../../api/api.ts';
import { changeJob, failed, jobOf } from '../desk/desk.ts';
import { doubtsAfter } from './doubts.ts';
import { draftOf, isTyped } from './draft-text.ts';
import type { Draft } from './draft.ts';
import { changeKeeping, keepNow, noteTyping } from './keep-draft.ts';
import { asSaved } from './keeping.ts';

export function changeDraft(requestId: string, draft: Draft): void {
  const job = jobOf(requestId);
  if (!job) return;
  changeJob(requestId, { draft, faults: {}, doubts: doubtsAfter(job, draft) });
  noteTyping(requestId);
}

/** Reads the person's saved draft of a request, and the one that another person has left. */
export async function lookForDrafts(requestId: string): Promise<void> {
  try {
    const { own, other: left } = await api.drafts.get.query({ request_id: requestId });
    const job = jobOf(requestId);
    if (!job) return;
    changeKeeping(requestId, { left });
    if (!own || own.revision === job.keeping.revision) return;
    // Something was typed in this tab since: the person chooses.
    if (isTyped(job.draft, job.item)) changeKeeping(requestId, { newer: own });
    else {
      changeJob(requestId, { draft: draftOf(own.content, job.item), doubts: {} });
      changeKeeping(requestId, asSaved(own));
    }
  } catch (err) {
    failed(err);
  }
}

/** Continues with the draft that another tab has saved. */
export function takeNewer(requestId: string): void {
  const job = jobOf(requestId);
  const newer = job?.keeping.newer;
  if (!job || !newer) return;
  changeJob(requestId, { draft: draftOf(newer.content, job.item), faults: {}, doubts: {} });
  changeKeeping(requestId, { ...asSaved(newer), newer: null, state: 'idle' });
}

/** Continues with the draft of this tab, which replaces the other tab's. */
export async function keepThis(requestId: string): Promise<void> {
  const newer = jobOf(requestId)?.keeping.newer;
  if (!newer) return;
  changeKeeping(requestId, { ...asSaved(newer), newer: null });
  await keepNow(requestId);
}

/** Replaces the draft with the one that another person has left. */
export async function adoptLeft(requestId: string): Promise<void> {
  const job = jobOf(requestId);
  if (!job) return;
  await keepNow(requestId);
  const adopted = await api.drafts.adopt.mutate({
    request_id: requestId,
    lease_token: job.item.lease_token,
    revision: jobOf(requestId)?.keeping.revision ?? null,
  });
  changeJob(requestId, { draft: draftOf(adopted.content, job.item), faults: {}, doubts: {} });
  changeKeeping(requestId, { ...asSaved(adopted), left: null, state: 'idle' });
}

/** Ignores the other person's draft, which stays stored. */
export const leaveIt = (requestId: string): void => changeKeeping(requestId, { left: null });
