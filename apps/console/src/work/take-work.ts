import { initialsOf } from '@insurance-verification/schema';
import { useSyncExternalStore } from 'react';
import { api } from '../api/api.ts';
import { failureOf } from '../api/failure.ts';
import { serverNow } from '../api/server-time.ts';
import { myId } from '../session/use-me.ts';
import { changeJob, dropJob, failed, type Job, jobOf, putJob, rememberLease } from './desk.ts';
import type { WorkItem } from './draft.ts';
import { keepNow, readDraft, startDraft } from './keep-draft.ts';
import { inLeaseTurn, loseLease } from './lease-clock.ts';
import { announceTaken } from './other-tabs.ts';
import { outbox, setOutbox, showOutcome, unsentOf } from './outbox.tsx';

const MANUAL_CHANNELS = ['manual_web_portal', 'manual_phone_call'] as const;

/** The requests that a person takes one after the other: of a payer, of a channel, or of any. */
export interface Run {
  readonly payer?: string | undefined;
  readonly channel?: (typeof MANUAL_CHANNELS)[number] | undefined;
}

let run: Run = {};
let isOver = false;
const listeners = new Set<() => void>();

/** Begins a run, which ends when nothing more waits for it. */
export function beginRun(next: Run): Run {
  return change(next, false);
}

/** The run that continues after a submitted result. */
export const currentRun = (): Run => run;

/** Ends the run: nothing more waits for it. */
const endRun = (): void => void change(run, true);

const endedRun = (): Run | null => (isOver ? run : null);

/** The run that has ended; null while one continues. */
export const useEndedRun = (): Run | null => useSyncExternalStore(subscribe, endedRun, endedRun);

function change(next: Run, over: boolean): Run {
  run = next;
  isOver = over;
  for (const listener of listeners) listener();
  return run;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Leases the next request of a run.
 * @returns its id; null where none waits.
 */
export async function takeNext({ payer, channel }: Run): Promise<string | null> {
  const channels = channel === undefined ? [...MANUAL_CHANNELS] : [channel];
  let item: WorkItem | undefined;
  do {
    const claim = { channels, ...(payer && { payers: [payer] }), max: 1 };
    [item] = (await api.work.claim.mutate(claim)).items;
  } while (item && isOnItsWay(item));
  if (!item) {
    endRun();
    return null;
  }
  const requestId = idOf(item);
  try {
    // At the first attempt nothing has been written yet.
    addJob(item, item.attempt > 1 ? await readDraft(requestId) : null);
  } catch (err) {
    failed(err);
    rememberLease(requestId); // its page takes it again, and shows the failure
  }
  return requestId;
}

/**
 * Whether a result for it waits in the outbox, although its lease ended meanwhile: the result is sent under the new one, and
 * its person is not asked for it again. One that was refused or lost leaves the outbox, and its form shows it.
 */
function isOnItsWay(item: WorkItem): boolean {
  const requestId = idOf(item);
  const unsent = unsentOf(requestId);
  if (!unsent) return false;
  if (unsent.state === 'refused' || unsent.state === 'lost') {
    setOutbox({ results: outbox().results.filter((result) => result !== unsent) });
    return false;
  }
  changeJob(requestId, { item, leaseEndsAt: Date.parse(item.lease_expires_at), lease: 'held' });
  rememberLease(requestId);
  return true;
}

/** Leases one request by its id, also where another tab of the same person has it, and reads its draft. */
export async function takeNamed(requestId: string): Promise<void> {
  const claim = { request_id: requestId, channels: [...MANUAL_CHANNELS], take_over: true };
  await inLeaseTurn(requestId, async () => {
    const item = await api.work.claimRequest.mutate(claim);
    addJob(item, await readDraft(requestId)); // also at the first attempt, which a reload continues
  });
}

/** Leases a request again that this person could not verify, and that waits in the next channel. */
export async function takeBack(requestId: string): Promise<void> {
  await inLeaseTurn(requestId, async () => {
    const item = await api.work.takeBack.mutate({ request_id: requestId });
    addJob(item, await readDraft(requestId));
  });
}

export const idOf = ({ request }: WorkItem): string => request.request_id ?? '';

function addJob(item: WorkItem, stored: Awaited<ReturnType<typeof readDraft>>): void {
  const requestId = idOf(item);
  const leaseEndsAt = Date.parse(item.lease_expires_at);
  putJob(requestId, {
    item,
    ...startDraft({ item, stored, before: jobOf(requestId), myId: myId() }),
    leaseEndsAt,
    leaseMs: leaseEndsAt - serverNow(),
    lease: 'held',
    isInOtherTab: false,
    kept: null,
    faults: {},
    doubts: {},
  });
  rememberLease(requestId);
  announceTaken(requestId);
  void keepNow(requestId);
}

/** `J. D. at Payer Plan 1`: enough for the person who typed it, and no name on a page that others may see. */
export function whose({ request }: WorkItem): string {
  const { patient_info: patient, payer_info: payer } = request.input;
  return `${initialsOf(patient.name) ?? 'A patient without a name'} at ${payer.name}`;
}

interface CallBackPlan {
  /** An instant. */
  readonly at: string;
  /** Whether only this person may take it at first. */
  readonly isOwn: boolean;
  readonly note: string;
}

/** Parks a request until the payer is called back (`work.callBack`). The draft is kept. */
export async function callBackAt(requestId: string, { at, isOwn, note }: CallBackPlan): Promise<void> {
  await keepNow(requestId);
  await inLeaseTurn(requestId, async () => {
    const job = jobOf(requestId);
    if (!job) return;
    await api.work.callBack.mutate({
      request_id: requestId,
      lease_token: job.item.lease_token,
      at,
      who: isOwn ? 'me' : 'anyone',
      note: note.trim() || null,
      ...spokenWith(job),
    });
    const name = whose(job.item);
    dropJob(requestId);
    showOutcome(`The request waits for its call-back: ${name}.`);
  });
}

/** The payer's number for the call, and who spoke. */
export function spokenWith({ draft }: Job) {
  return {
    reference: draft.reference.trim() || null,
    representative: draft.representative.trim() || null,
  };
}

/** Releases a request after an absence, and leaves its form on screen, read-only. */
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
