import { api } from '../api/api.ts';
import { type Failure, failureOf } from '../api/failure.ts';
import { serverNow } from '../api/server-time.ts';
import { queryClient } from '../session/query-client.ts';
import { endSession } from '../session/session.ts';
import { checkDraft, type Faults } from './check-draft.ts';
import { type Draft, emptyDraft, type WorkItem } from './draft.ts';
import { forgetLease, rememberLease, rememberedLease } from './remembered-lease.ts';

/** One request that this tab holds, or held. */
export interface Job {
  readonly item: WorkItem;
  readonly draft: Draft;
  /** By the service's clock, in milliseconds. */
  readonly leaseEndsAt: number;
  /** How long a lease is when it is new. */
  readonly leaseMs: number;
  /** `lost`: the lease ended or went to somebody else; the draft stays. */
  readonly lease: 'held' | 'lost';
  readonly faults: Faults;
}

/** A result that waits for its five seconds. */
interface Leaving {
  readonly requestId: string;
  readonly sendsAt: number;
}

export interface DeskState {
  readonly jobs: Readonly<Record<string, Job>>;
  readonly leaving: Leaving | null;
  /** What became of the last thing that was sent, where the person is not on its page any more. */
  readonly told: {
    readonly tone: 'good' | 'bad';
    readonly sentence: string;
    readonly requestId: string;
  } | null;
}

/** A result cannot be called back once it is accepted, so it waits this long for second thoughts. */
export const UNDO_MS = 5_000;

const MANUAL = ['manual_web_portal', 'manual_phone_call'] as const;
export type ManualChannel = (typeof MANUAL)[number];

let state: DeskState = { jobs: {}, leaving: null, told: null };
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

export const deskState = (): DeskState => state;
export const subscribeToDesk = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

function set(changes: Partial<DeskState>): void {
  state = { ...state, ...changes };
  for (const listener of listeners) listener();
}

function changeJob(requestId: string, changes: Partial<Job>): void {
  const job = state.jobs[requestId];
  if (job) set({ jobs: { ...state.jobs, [requestId]: { ...job, ...changes } } });
}

function dropJob(requestId: string): void {
  const { [requestId]: _gone, ...jobs } = state.jobs;
  forgetLease(requestId);
  set({ jobs });
  void queryClient.invalidateQueries({ queryKey: ['work.stats'] });
}

function addJob(item: WorkItem): string {
  const requestId = item.request.request_id ?? '';
  const leaseEndsAt = Date.parse(item.lease_expires_at);
  const draft = state.jobs[requestId]?.draft ?? emptyDraft(item);
  const leaseMs = leaseEndsAt - serverNow();
  set({
    jobs: { ...state.jobs, [requestId]: { item, draft, leaseEndsAt, leaseMs, lease: 'held', faults: {} } },
  });
  rememberLease(requestId, item.lease_token);
  return requestId;
}

/** Tells a failed call of the desk, which no query or mutation of the page's own watches. */
function failed(err: unknown): Failure {
  const failure = failureOf(err);
  if (failure.kind === 'signed_out') endSession();
  return failure;
}

/** Takes the next request that waits for a person; null when nothing does. */
export async function takeNext(channel: ManualChannel | undefined): Promise<string | null> {
  const channels = channel === undefined ? [...MANUAL] : [channel];
  const { items } = await api.work.claim.mutate({ channels, max: 1 });
  const [item] = items;
  set({ told: state.told?.tone === 'bad' ? state.told : null });
  return item ? addJob(item) : null;
}

/** Takes one named request; what was typed about it in this tab is kept. */
export async function takeNamed(requestId: string): Promise<void> {
  const left = rememberedLease(requestId);
  // The page was loaded anew: the lease is still ours, and what it is about can be read only by taking it again.
  if (left !== null && !state.jobs[requestId]) {
    forgetLease(requestId);
    await api.work.release.mutate({ request_id: requestId, lease_token: left }).catch(() => undefined);
  }
  addJob(await api.work.claimRequest.mutate({ request_id: requestId, channels: [...MANUAL] }));
}

export function changeDraft(requestId: string, draft: Draft): void {
  changeJob(requestId, { draft, faults: {} });
}

/** Renews a lease. */
export async function keep(requestId: string): Promise<void> {
  const job = state.jobs[requestId];
  if (!job || job.lease === 'lost') return;
  try {
    const { lease_expires_at: endsAt } = await api.work.heartbeat.mutate({
      request_id: requestId,
      lease_token: job.item.lease_token,
    });
    changeJob(requestId, { leaseEndsAt: Date.parse(endsAt) });
  } catch (err) {
    const { code, kind } = failed(err);
    if (code === 'lease_lost' || kind === 'not_found') lose(requestId);
  }
}

/** The form freezes; what was typed stays. */
export function lose(requestId: string): void {
  forgetLease(requestId);
  changeJob(requestId, { lease: 'lost' });
}

/** Checks a draft and, where it is whole, sends it in five seconds. The answer is whether it is on its way. */
export function submit(requestId: string): boolean {
  const job = state.jobs[requestId];
  if (!job || job.lease === 'lost') return false;
  const checked = checkDraft(job.item, job.draft, new Date());
  if (checked.kind === 'faults') {
    changeJob(requestId, { faults: checked.faults });
    return false;
  }
  sendNow(); // one at a time waits: the one before had its time while this one was typed
  set({ leaving: { requestId, sendsAt: Date.now() + UNDO_MS }, told: null });
  timer = setTimeout(sendNow, UNDO_MS);
  return true;
}

/** Takes back what waits; its request. */
export function undo(): string | null {
  const { leaving } = state;
  if (!leaving) return null;
  clearTimeout(timer);
  set({ leaving: null });
  return leaving.requestId;
}

/** Sends what waits without waiting longer. */
function sendNow(): void {
  const { leaving } = state;
  const job = leaving && state.jobs[leaving.requestId];
  clearTimeout(timer);
  set({ leaving: null });
  if (leaving && job) void send(leaving.requestId, job);
}

async function send(requestId: string, { item, draft }: Job): Promise<void> {
  const checked = checkDraft(item, draft, new Date());
  if (checked.kind === 'faults') return;
  const tell = (tone: 'good' | 'bad', sentence: string) => set({ told: { tone, sentence, requestId } });
  try {
    await api.work.submit.mutate({
      request_id: requestId,
      lease_token: item.lease_token,
      ...checked.submission,
    });
    tell('good', 'The result is accepted and on its way to the provider.');
    finished += 1;
    dropJob(requestId);
  } catch (err) {
    const { code, sentence, faults } = failed(err);
    if (code === 'lease_lost') lose(requestId);
    const [fault] = faults;
    tell('bad', `The result was not sent. ${fault ? `${fault.msg}.` : sentence}`);
  }
}

let finished = 0;
/** Results that this tab has handed in. */
export const finishedCount = (): number => finished;

interface GivingUp {
  readonly reason: Parameters<typeof api.work.fail.mutate>[0]['error_reason'];
  readonly note: string;
  readonly final: boolean;
}

/** Says that this channel cannot find out. The answer is a sentence about what comes of it. */
export async function giveUp(requestId: string, { reason, note, final }: GivingUp): Promise<void> {
  const job = state.jobs[requestId];
  if (!job) return;
  const { status } = await api.work.fail.mutate({
    request_id: requestId,
    lease_token: job.item.lease_token,
    error_reason: reason,
    note: note.trim() || null,
    reference: job.draft.reference.trim() || null,
    final,
  });
  dropJob(requestId);
  const sentence =
    status === 'next_channel'
      ? 'The request goes on to the next channel.'
      : 'The request ends here. The provider is told why.';
  set({ told: { tone: 'good', sentence, requestId } });
}

/** Gives a request back untried. */
export async function giveBack(requestId: string): Promise<void> {
  const job = state.jobs[requestId];
  if (!job) return;
  if (job.lease === 'held')
    await api.work.release
      .mutate({ request_id: requestId, lease_token: job.item.lease_token })
      .catch((err: unknown) => {
        const { code } = failureOf(err);
        if (code !== 'lease_lost') throw err;
      });
  dropJob(requestId);
}

/** Whether leaving the page would lose what somebody typed. */
function hasUnsent(): boolean {
  return (
    state.leaving !== null ||
    Object.values(state.jobs).some(({ item, draft, lease }) => lease === 'held' && isTyped(item, draft))
  );
}

function isTyped(item: WorkItem, draft: Draft): boolean {
  const keyless = ({ coverages, ...rest }: Draft) =>
    JSON.stringify([rest, coverages.map(({ key: _key, ...coverage }) => coverage)]);
  return keyless(draft) !== keyless(emptyDraft(item));
}

addEventListener('beforeunload', (event) => {
  if (hasUnsent()) event.preventDefault();
});
