import { api, type Outputs } from '../api/api.ts';
import { hasSessionEnded, isPageGivenUp } from '../api/session.ts';
import { createTurns } from '../api/turns.ts';
import { changeJob, deskState, failed, type Job, jobOf } from './desk.ts';
import { doubtsAfter, type Draft, draftOf, emptyDraft, isTyped, textOf, type WorkItem } from './draft.ts';
import { keepLease, loseLease } from './lease-clock.ts';
import { unsentOf } from './outbox.tsx';

// A request has one draft, which the holder of the lease reads and replaces. Each save names the revision that it replaces.

type StoredDraft = NonNullable<Outputs['drafts']['get']['draft']>;

/** How far a draft is saved with the service. */
export interface Keeping {
  /** The revision that the next save replaces; null while nothing is saved. */
  readonly revision: number | null;
  /** The text that is saved; null while none is. */
  readonly content: string | null;
  /** By the service's clock, in milliseconds; null while nothing is saved. */
  readonly savedAt: number | null;
  /** The person or key that saved the draft which this tab read; null once this tab has saved it. */
  readonly savedBy: { readonly id: string; readonly name: string | null } | null;
  /**
   * `offline`: the service does not answer, and only this tab has the text. `refused`: it answers, and did not save it; it
   * is tried again. `lost`: the text is not saved, because another tab or verifier has the request.
   */
  readonly state: 'idle' | 'typed' | 'saving' | 'offline' | 'refused' | 'lost';
}

const NOT_SAVED: Keeping = { revision: null, content: null, savedAt: null, savedBy: null, state: 'idle' };

/** Milliseconds after the last key at which a draft is saved. */
const QUIET_MS = 1_500;
/** Milliseconds until the next try after a failed save. */
const RETRY_MS = 3_000;

const timers = new Map<string, ReturnType<typeof setTimeout>>();
const inTurn = createTurns();

/** Reads the stored draft of a leased request; null without one. */
export async function readDraft(requestId: string): Promise<StoredDraft | null> {
  return (await api.drafts.get.query({ request_id: requestId })).draft;
}

/** A colleague's draft, which the person may use. The form does not have it before. */
export interface OfferedDraft {
  readonly draft: Draft;
  readonly keeping: Keeping;
}

interface DraftStart {
  readonly item: WorkItem;
  readonly stored: StoredDraft | null;
  /** What this tab has of an earlier lease. */
  readonly before: Job | undefined;
  readonly myId: string | null;
}

/**
 * The draft of a request that was just leased: the person's own stored one, or, where no other save came since, the text
 * that this tab has of an earlier lease. A colleague's is offered: it is not the person's answer until they say so.
 */
export function startDraft({
  item,
  stored,
  before,
  myId,
}: DraftStart): Pick<Job, 'draft' | 'keeping' | 'offered'> {
  if (before && (stored === null || stored.revision === before.keeping.revision)) {
    const keeping = stored === null ? NOT_SAVED : before.keeping;
    return { draft: before.draft, keeping, offered: stored && before.offered };
  }
  if (stored === null) return { draft: emptyDraft(item), keeping: NOT_SAVED, offered: null };
  const kept = { draft: draftOf(stored.content, item), keeping: keepingOf(stored) };
  if (stored.written_by === myId) return { ...kept, offered: null };
  const draft = before?.draft ?? emptyDraft(item);
  // The colleague's stays stored until something else is typed.
  return {
    draft,
    keeping: { ...NOT_SAVED, revision: stored.revision, content: textOf(draft) },
    offered: kept,
  };
}

/** Puts the draft that a colleague has typed into the form. */
export function takeOffered(requestId: string): void {
  const offered = jobOf(requestId)?.offered;
  if (offered) changeJob(requestId, { ...offered, offered: null, faults: {}, doubts: {} });
}

/** Takes the offer of a colleague's draft away; the form stays as it is. */
export const refuseOffered = (requestId: string): void => changeJob(requestId, { offered: null });

/** Changes the draft in the form, and schedules its save. */
export function changeDraft(requestId: string, draft: Draft): void {
  const job = jobOf(requestId);
  if (!job) return;
  changeJob(requestId, { draft, faults: {}, doubts: doubtsAfter(job, draft) });
  noteTyping(requestId);
}

/** Saves unsaved changes at once. Never rejects. */
export async function keepNow(requestId: string): Promise<void> {
  clearTimeout(timers.get(requestId));
  await inTurn(requestId, () => save(requestId));
}

const keepingOf = (stored: StoredDraft): Keeping => ({
  revision: stored.revision,
  content: stored.content,
  savedAt: Date.parse(stored.saved_at),
  savedBy: { id: stored.written_by, name: stored.written_by_name },
  state: 'idle',
});

function changeKeeping(requestId: string, changes: Partial<Keeping>): void {
  const job = jobOf(requestId);
  if (job) changeJob(requestId, { keeping: { ...job.keeping, ...changes } });
}

function noteTyping(requestId: string): void {
  const keeping = jobOf(requestId)?.keeping;
  if (!keeping) return;
  if (keeping.state === 'idle' || keeping.state === 'lost') changeKeeping(requestId, { state: 'typed' });
  if (keeping.state !== 'offline') schedule(requestId, QUIET_MS);
}

const isUnsaved = ({ item, draft, keeping }: Job): boolean =>
  textOf(draft) !== keeping.content && (keeping.revision !== null || isTyped(draft, item));

function schedule(requestId: string, delayMs: number): void {
  clearTimeout(timers.get(requestId));
  timers.set(
    requestId,
    setTimeout(() => {
      timers.delete(requestId);
      void keepNow(requestId);
    }, delayMs),
  );
}

async function save(requestId: string): Promise<void> {
  const job = jobOf(requestId);
  if (!job) return;
  // The result is being submitted: there is nothing to save unless that fails.
  if (hasSessionEnded() || unsentOf(requestId)?.state === 'sending') return schedule(requestId, RETRY_MS);
  if (!isUnsaved(job)) return changeKeeping(requestId, { state: 'idle' });
  // The other tab has the draft now.
  if (job.isInOtherTab) {
    loseLease(requestId);
    return changeKeeping(requestId, { state: 'lost' });
  }
  const content = textOf(job.draft);
  if (job.keeping.state !== 'offline') changeKeeping(requestId, { state: 'saving' });
  try {
    const { revision, saved_at } = await api.drafts.save.mutate({
      request_id: requestId,
      content,
      revision: job.keeping.revision,
    });
    const savedAt = Date.parse(saved_at);
    changeKeeping(requestId, { revision, content, savedAt, savedBy: null, state: 'idle' });
    const now = jobOf(requestId);
    if (now && textOf(now.draft) !== content) noteTyping(requestId);
  } catch (err) {
    await settleFailure(requestId, err);
  }
}

async function settleFailure(requestId: string, err: unknown): Promise<void> {
  const { code, kind } = failed(err);
  if (code === 'draft_changed') return replaceNewer(requestId);
  if (code === 'lease_lost') return changeKeeping(requestId, { state: 'lost' });
  // The request is finished, or out of this person's reach: nothing remains to save.
  const isOver = code === 'request_finished' || code === 'request_erased' || kind === 'not_found';
  changeKeeping(requestId, { state: isOver ? 'idle' : kind === 'offline' ? 'offline' : 'refused' });
  if (!isOver) schedule(requestId, RETRY_MS);
}

/** Saves over a draft that another tab or verifier saved meanwhile, if this tab still holds the lease. */
async function replaceNewer(requestId: string): Promise<void> {
  await keepLease(requestId);
  if (jobOf(requestId)?.lease !== 'held') return changeKeeping(requestId, { state: 'lost' });
  try {
    const revision = (await readDraft(requestId))?.revision ?? null;
    changeKeeping(requestId, { revision, content: null, state: 'typed' });
    schedule(requestId, 0);
  } catch (err) {
    await settleFailure(requestId, err);
  }
}

// Text that only this tab has is saved as soon as the network is back.
addEventListener('online', () => {
  for (const requestId of Object.keys(deskState().jobs)) void keepNow(requestId);
});

addEventListener('beforeunload', (event) => {
  if (!isPageGivenUp() && Object.values(deskState().jobs).some(isUnsaved)) event.preventDefault();
});
