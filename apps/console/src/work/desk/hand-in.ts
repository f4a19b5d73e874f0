import { api } from '../../api/api.ts';
import { checkDraft } from '../draft/check-draft.ts';
import { doubtsOf } from '../draft/doubts.ts';
import { keepNow } from '../draft/keep-draft.ts';
import { changeJob, deskState, dropJob, failed, type Job, jobOf, setDesk } from './desk.ts';
import { inLeaseTurn, loseLease } from './lease-clock.ts';

/** Milliseconds for which a submitted result can be undone: once the service has accepted it, it cannot. */
export const UNDO_MS = 5_000;

let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Checks a draft and, where it has no faults, sends it after five seconds.
 * @returns whether it will be sent.
 */
export function submit(requestId: string): boolean {
  const job = jobOf(requestId);
  if (!job || job.lease === 'lost') return false;
  const checked = checkDraft(job, new Date());
  if (checked.kind === 'faults') {
    changeJob(requestId, { faults: checked.faults, doubts: checked.doubts });
    return false;
  }
  void keepNow(requestId); // the tab may end within the five seconds
  sendNow(); // one at a time waits: the one before had its time while this one was typed
  setDesk({ leaving: { requestId, sendsAt: Date.now() + UNDO_MS }, told: null });
  timer = setTimeout(sendNow, UNDO_MS);
  return true;
}

/**
 * Cancels the result that waits to be sent.
 * @returns the id of its request; null where none waits.
 */
export function undo(): string | null {
  const { leaving } = deskState();
  if (!leaving) return null;
  clearTimeout(timer);
  setDesk({ leaving: null });
  return leaving.requestId;
}

/** Sends the waiting result at once. */
function sendNow(): void {
  const { leaving } = deskState();
  const job = leaving && jobOf(leaving.requestId);
  clearTimeout(timer);
  setDesk({ leaving: null });
  if (leaving && job) void inLeaseTurn(leaving.requestId, () => send(leaving.requestId, job));
}

async function send(requestId: string, job: Job): Promise<void> {
  const checked = checkDraft(job, new Date());
  if (checked.kind === 'faults') return;
  const tell = (tone: 'good' | 'bad', sentence: string) => setDesk({ told: { tone, sentence, requestId } });
  try {
    await api.work.submit.mutate({
      request_id: requestId,
      lease_token: job.item.lease_token,
      ...checked.submission,
    });
    tell('good', 'The result is accepted and on its way to the provider.');
    dropJob(requestId);
  } catch (err) {
    const { code, sentence, faults } = failed(err);
    if (code === 'lease_lost') loseLease(requestId);
    const doubts = doubtsOf(faults, job.draft);
    if (doubts !== null) {
      changeJob(requestId, { doubts });
      tell('bad', 'The result was not sent. Confirm that it is the request’s patient, and submit it again.');
      return;
    }
    const [fault] = faults;
    tell('bad', `The result was not sent. ${fault ? `${fault.msg}.` : sentence}`);
  }
}
