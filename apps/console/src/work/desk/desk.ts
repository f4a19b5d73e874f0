import { type Failure, failureOf } from '../../api/failure.ts';
import { endSession } from '../../api/session.ts';
import { queryClient } from '../../session/query-client.ts';
import type { Faults } from '../draft/check-draft.ts';
import type { Doubts } from '../draft/doubts.ts';
import type { Draft, WorkItem } from '../draft/draft.ts';
import type { Keeping } from '../draft/keeping.ts';
import { forgetLease } from './remembered-lease.ts';

/** One request that this tab holds, or held. */
export interface Job {
  readonly item: WorkItem;
  readonly draft: Draft;
  /** What is saved of the draft. */
  readonly keeping: Keeping;
  /** By the service's clock, in milliseconds. */
  readonly leaseEndsAt: number;
  /** How long a lease is when it is new. */
  readonly leaseMs: number;
  /** `lost`: the lease ended or went to somebody else; the draft stays. */
  readonly lease: 'held' | 'lost';
  /** By the service's clock: until when a call with the payer holds lease and session; null without one. */
  readonly onCallUntil: number | null;
  readonly faults: Faults;
  readonly doubts: Doubts;
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

let state: DeskState = { jobs: {}, leaving: null, told: null };
const listeners = new Set<() => void>();

/** What this tab works on. It outlives the pages, so that a result can be undone from the next request. */
export const deskState = (): DeskState => state;
export const subscribeToDesk = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function setDesk(changes: Partial<DeskState>): void {
  state = { ...state, ...changes };
  for (const listener of listeners) listener();
}

export const jobOf = (requestId: string): Job | undefined => state.jobs[requestId];

export function putJob(requestId: string, job: Job): void {
  setDesk({ jobs: { ...state.jobs, [requestId]: job } });
}

export function changeJob(requestId: string, changes: Partial<Job>): void {
  const job = jobOf(requestId);
  if (job) putJob(requestId, { ...job, ...changes });
}

/** The person made sure that a coverage is about the request's patient, or takes that back. */
export function confirmPatient(requestId: string, coverageKey: string, isConfirmed: boolean): void {
  const job = jobOf(requestId);
  const doubt = job?.doubts[coverageKey];
  if (job && doubt)
    changeJob(requestId, { doubts: { ...job.doubts, [coverageKey]: { ...doubt, isConfirmed } } });
}

export function dropJob(requestId: string): void {
  const { [requestId]: _gone, ...jobs } = state.jobs;
  forgetLease(requestId);
  setDesk({ jobs });
  for (const read of ['work.stats', 'work.day', 'own drafts'])
    void queryClient.invalidateQueries({ queryKey: [read] });
}

/** Tells a failed call of the desk, which no query or mutation of the page's own watches. */
export function failed(err: unknown): Failure {
  const failure = failureOf(err);
  if (failure.kind === 'signed_out') endSession();
  return failure;
}
