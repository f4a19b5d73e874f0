import { api } from '../api/api.ts';
import type { Failure } from '../api/failure.ts';
import { hasSessionEnded, isPageGivenUp, subscribeToSession } from '../api/session.ts';
import { checkDraft } from './check-draft.ts';
import { changeJob, dropJob, failed, jobOf } from './desk.ts';
import { doubtsOf, type WorkItem } from './draft.ts';
import { keepNow } from './keep-draft.ts';
import { inLeaseTurn, loseLease } from './lease-clock.ts';
import { outbox, setOutbox, showOutcome, unsentOf, type UnsentResult } from './outbox.tsx';
import { giveBack, idOf, spokenWith, whose } from './take-work.ts';

/** Milliseconds for which a submitted result can be undone: once the service has accepted it, it cannot. */
export const UNDO_MS = 5_000;

/** The most milliseconds between two tries of one result; the first comes after one second, each wait is twice the last. */
const RETRY_MS_MAX = 15_000;

/** What is sent, and how often it was. */
interface Sending {
  /** Sends the same data each time: others under one lease would be refused. Returns what became of it, in words. */
  readonly send: (leaseToken: string) => Promise<string>;
  readonly leaseToken: string;
  tryCount: number;
  isUnderWay: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
}

const sendings = new Map<string, Sending>();

/**
 * Checks a draft and, where it has no faults, puts its result into the outbox, from which it is sent after five seconds.
 * @returns whether it will be sent.
 */
export function submit(requestId: string): boolean {
  const job = jobOf(requestId);
  if (!job || job.lease === 'lost' || unsentOf(requestId)) return false;
  const checked = checkDraft(job, new Date());
  if (checked.kind === 'faults') {
    changeJob(requestId, { faults: checked.faults, doubts: checked.doubts });
    return false;
  }
  const name = whose(job.item);
  const submission = { request_id: requestId, ...checked.submission };
  put(job.item, { kind: 'result', name }, async (leaseToken) => {
    await api.work.submit.mutate({ ...submission, lease_token: leaseToken });
    return `The result is accepted and on its way to the provider: ${name}.`;
  });
  return true;
}

interface GivingUp {
  readonly reason: Parameters<typeof api.work.fail.mutate>[0]['error_reason'];
  readonly note: string;
  readonly final: boolean;
}

/**
 * Puts into the outbox that this channel could not verify a request, and why: it is sent as a result is.
 * @returns whether it will be sent.
 */
export function giveUp(requestId: string, { reason, note, final }: GivingUp): boolean {
  const job = jobOf(requestId);
  if (!job || job.lease === 'lost' || unsentOf(requestId)) return false;
  const name = whose(job.item);
  const failure = {
    request_id: requestId,
    error_reason: reason,
    note: note.trim() || null,
    ...spokenWith(job),
    final,
  };
  put(job.item, { kind: 'failure', name }, async (leaseToken) => {
    const { status } = await api.work.fail.mutate({ ...failure, lease_token: leaseToken });
    return status === 'next_channel'
      ? `The request goes to the next channel: ${name}.`
      : `The request ends here, and the provider gets the reason: ${name}.`;
  });
  return true;
}

function put(item: WorkItem, unsent: Pick<UnsentResult, 'kind' | 'name'>, act: Sending['send']): void {
  const requestId = idOf(item);
  void keepNow(requestId); // the tab may end before the service has it
  sendUndoable(); // one at a time can be undone: the one before had its time while this one was typed
  sendings.set(requestId, {
    send: act,
    leaseToken: item.lease_token,
    tryCount: 0,
    isUnderWay: false,
    timer: setTimeout(() => void send(requestId), UNDO_MS),
  });
  const result: UnsentResult = {
    requestId,
    ...unsent,
    state: 'undoable',
    sendsAt: Date.now() + UNDO_MS,
    sentence: null,
  };
  setOutbox({ results: [...outbox().results, result], outcome: null });
}

/**
 * Takes the result whose five seconds are not over back into its form.
 * @returns the id of its request; null where none can be undone.
 */
export function undo(): string | null {
  const requestId = undoable();
  if (requestId === undefined) return null;
  remove(requestId);
  return requestId;
}

/** Takes a refused or lost result out of the outbox; its form shows it. */
export const openUnsent = (requestId: string): void => remove(requestId);

/** Gives a refused or lost result up: others may take the request, and the draft of it stays with the service. */
export async function dismissUnsent(requestId: string): Promise<void> {
  await giveBack(requestId);
  remove(requestId);
}

const undoable = () => outbox().results.find(({ state }) => state === 'undoable')?.requestId;

function sendUndoable(): void {
  const requestId = undoable();
  if (requestId !== undefined) void send(requestId);
}

function remove(requestId: string): void {
  clearTimeout(sendings.get(requestId)?.timer);
  sendings.delete(requestId);
  setOutbox({ results: outbox().results.filter((result) => result.requestId !== requestId) });
}

function change(requestId: string, changes: Partial<UnsentResult>): void {
  setOutbox({
    results: outbox().results.map((result) =>
      result.requestId === requestId ? { ...result, ...changes } : result,
    ),
  });
}

async function send(requestId: string): Promise<void> {
  const sending = sendings.get(requestId);
  if (!sending || sending.isUnderWay) return;
  clearTimeout(sending.timer);
  if (hasSessionEnded()) return change(requestId, { state: 'waiting' }); // sent once its person has signed in again
  if (sending.tryCount === 0) change(requestId, { state: 'sending' });
  sending.isUnderWay = true;
  sending.tryCount += 1;
  try {
    // Where the lease ended meanwhile, its person may have taken the request again.
    const token = jobOf(requestId)?.item.lease_token ?? sending.leaseToken;
    showOutcome(await inLeaseTurn(requestId, () => sending.send(token)));
    dropJob(requestId); // first: without both, the page would show the form again
    remove(requestId);
  } catch (err) {
    sending.isUnderWay = false;
    settle(requestId, sending, failed(err));
  }
}

function settle(requestId: string, sending: Sending, failure: Failure): void {
  if (mayBeAnsweredLater(failure)) {
    change(requestId, { state: 'waiting' });
    const delayMs = Math.min(RETRY_MS_MAX, 1_000 * 2 ** (sending.tryCount - 1));
    sending.timer = setTimeout(() => void send(requestId), delayMs);
    return;
  }
  sendings.delete(requestId);
  const { code, kind, sentence, faults } = failure;
  if (code === 'lease_lost' || code === 'request_erased' || kind === 'not_found') {
    loseLease(requestId);
    return change(requestId, { state: 'lost', sentence: LOST });
  }
  const job = jobOf(requestId);
  const doubts = job ? doubtsOf(faults, job.draft) : null;
  if (doubts !== null) changeJob(requestId, { doubts });
  const why = faults[0] ? `${faults[0].msg}.` : sentence;
  change(requestId, {
    state: 'refused',
    sentence: `It was not sent. ${doubts === null ? why : TO_CONFIRM}`,
  });
}

const TO_CONFIRM = 'Confirm that it is the request’s patient, and submit it again.';
const LOST = 'It was not sent: your lease ended before the service could be reached.';

/** Whether the same call may be answered in a moment. A failure of the service itself has a trace. */
const mayBeAnsweredLater = ({ kind, code, trace }: Failure): boolean =>
  kind === 'offline' || kind === 'signed_out' || trace !== undefined || code === 'rate_limited';

/** Sends what waits at once: the network is back, or its person has signed in again. */
function sendWaiting(): void {
  for (const { requestId, state } of outbox().results) if (state === 'waiting') void send(requestId);
}

addEventListener('online', sendWaiting);
subscribeToSession(() => {
  if (!hasSessionEnded()) sendWaiting();
});

addEventListener('beforeunload', (event) => {
  const { results } = outbox();
  const waits = results.some(({ state }) => state !== 'refused' && state !== 'lost');
  if (waits && !isPageGivenUp()) event.preventDefault();
});
