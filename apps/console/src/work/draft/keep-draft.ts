import { api } from '../../api/api.ts';
import { hasSessionEnded, isPageGivenUp } from '../../api/session.ts';
import { changeJob, deskState, failed, jobOf } from '../desk/desk.ts';
import { unsentOf } from '../outbox/outbox.ts';
import { createTurns } from '../turns.ts';
import { isTyped, textOf } from './draft-text.ts';
import { asSaved, type Keeping } from './keeping.ts';

/** Milliseconds after the last key at which a draft is saved. */
const QUIET_MS = 1_500;
/** Milliseconds until the next try after a failed save. */
const RETRY_MS = 3_000;

const timers = new Map<string, ReturnType<typeof setTimeout>>();
const inTurn = createTurns();

/** Schedules a save of the changed draft. */
export function noteTyping(requestId: string): void {
  const keeping = jobOf(requestId)?.keeping;
  if (!keeping) return;
  if (keeping.state === 'idle') changeKeeping(requestId, { state: 'typed' });
  if (keeping.state !== 'offline') schedule(requestId, QUIET_MS);
}

/** Saves unsaved changes at once. Never rejects. */
export async function keepNow(requestId: string): Promise<void> {
  clearTimeout(timers.get(requestId));
  await inTurn(requestId, () => save(requestId));
}

export function changeKeeping(requestId: string, changes: Partial<Keeping>): void {
  const job = jobOf(requestId);
  if (job) changeJob(requestId, { keeping: { ...job.keeping, ...changes } });
}

/** Whether the tab has unsaved text. */
function hasUnsaved(): boolean {
  return Object.values(deskState().jobs).some(
    ({ item, draft, keeping }) => isTyped(draft, item) && textOf(draft) !== keeping.content,
  );
}

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
  if (!job || job.keeping.newer) return;
  // The result is being submitted: there is nothing to save unless that fails.
  if (hasSessionEnded() || unsentOf(requestId)?.state === 'sending') return schedule(requestId, RETRY_MS);
  const content = textOf(job.draft);
  const { revision } = job.keeping;
  const isSaved = content === job.keeping.content || (revision === null && !isTyped(job.draft, job.item));
  if (isSaved) {
    changeKeeping(requestId, { state: 'idle' });
    return;
  }
  if (job.keeping.state !== 'offline') changeKeeping(requestId, { state: 'saving' });
  try {
    const saved = await api.drafts.save.mutate({ request_id: requestId, content, revision });
    changeKeeping(requestId, { ...asSaved({ ...saved, content }), state: 'idle' });
    const now = jobOf(requestId);
    if (now && textOf(now.draft) !== content) noteTyping(requestId);
  } catch (err) {
    await failedToSave(requestId, err);
  }
}

async function failedToSave(requestId: string, err: unknown): Promise<void> {
  const { code, kind } = failed(err);
  if (code === 'draft_changed') return meetNewer(requestId);
  // The request is finished, or no longer this person's: nothing is left to save.
  const isOver = code === 'request_finished' || kind === 'not_found';
  changeKeeping(requestId, { state: isOver ? 'idle' : 'offline' });
  if (!isOver) schedule(requestId, RETRY_MS);
}

/** Handles a conflict: another tab of this person has saved or discarded the draft meanwhile. */
async function meetNewer(requestId: string): Promise<void> {
  try {
    const { own } = await api.drafts.get.query({ request_id: requestId });
    changeKeeping(requestId, {
      state: 'typed',
      ...(own ? { newer: own } : { revision: null, content: null }),
    });
    if (!own) schedule(requestId, 0);
  } catch (err) {
    await failedToSave(requestId, err);
  }
}

// Text that only this tab has is saved as soon as the network is back.
addEventListener('online', () => {
  for (const requestId of Object.keys(deskState().jobs)) void keepNow(requestId);
});

addEventListener('beforeunload', (event) => {
  if (isPageGivenUp()) return;
  if (hasUnsaved()) event.preventDefault();
});
