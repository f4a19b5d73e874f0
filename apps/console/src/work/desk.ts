import { useSyncExternalStore } from 'react';
import { type Failure, failureOf } from '../api/failure.ts';
import { endSession } from '../api/session.ts';
import { queryClient } from '../session/query-client.ts';
import type { Faults } from './check-draft.ts';
import type { Doubts, Draft, WorkItem } from './draft.ts';
import type { Keeping, OfferedDraft } from './keep-draft.ts';

/** A phone call with the payer, or the reading of its portal. */
export interface Kept {
  readonly place: 'phone' | 'portal';
  /** By the service's clock, in milliseconds. */
  readonly until: number;
}

/** A request that this tab has leased, or had. */
export interface Job {
  readonly item: WorkItem;
  readonly draft: Draft;
  /** How far the draft is saved. */
  readonly keeping: Keeping;
  /** What a colleague has typed, until the person uses or refuses it; null without that. */
  readonly offered: OfferedDraft | null;
  /** When the lease ends, by the service's clock, in milliseconds. */
  readonly leaseEndsAt: number;
  /** The full duration of a lease, in milliseconds. */
  readonly leaseMs: number;
  /** `lost`: the lease ended or another person has it; the draft stays. */
  readonly lease: 'held' | 'lost';
  /** Whether another tab of this browser took it since: it is still the person's, there. */
  readonly isInOtherTab: boolean;
  /** What keeps lease and session without a key pressed; null where the heartbeats do. */
  readonly kept: Kept | null;
  readonly faults: Faults;
  readonly doubts: Doubts;
}

interface DeskState {
  readonly jobs: Readonly<Record<string, Job>>;
}

let state: DeskState = { jobs: {} };
const listeners = new Set<() => void>();

/**
 * The leased requests of this tab. They are kept outside of the pages, so that a result can be undone from the next
 * request.
 */
export const deskState = (): DeskState => state;
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Subscribes to the leased requests of this tab. */
export const useDesk = (): DeskState => useSyncExternalStore(subscribe, deskState, deskState);

function setJobs(jobs: DeskState['jobs']): void {
  state = { jobs };
  for (const listener of listeners) listener();
}

export const jobOf = (requestId: string): Job | undefined => state.jobs[requestId];

export function putJob(requestId: string, job: Job): void {
  setJobs({ ...state.jobs, [requestId]: job });
}

export function changeJob(requestId: string, changes: Partial<Job>): void {
  const job = jobOf(requestId);
  if (job) putJob(requestId, { ...job, ...changes });
}

/** Sets whether the person has confirmed that a coverage is about the request's patient. */
export function confirmPatient(requestId: string, coverageKey: string, isConfirmed: boolean): void {
  const job = jobOf(requestId);
  const doubt = job?.doubts[coverageKey];
  if (job && doubt)
    changeJob(requestId, { doubts: { ...job.doubts, [coverageKey]: { ...doubt, isConfirmed } } });
}

export function dropJob(requestId: string): void {
  const { [requestId]: _gone, ...jobs } = state.jobs;
  forgetLease(requestId);
  setJobs(jobs);
  for (const read of ['work.stats', 'work.day', 'work.callBacks', 'own drafts', 'own done'])
    void queryClient.invalidateQueries({ queryKey: [read] });
}

/** The failure of a call that no query or mutation of a page observes. A 401 ends the session of the page. */
export function failed(err: unknown): Failure {
  const failure = failureOf(err);
  if (failure.kind === 'signed_out') endSession();
  return failure;
}

// A lease outlives a reload of its tab, which then takes the request again by itself. The mark holds no patient data, grants
// no right, and is gone with the tab.
const nameOf = (requestId: string) => `lease:${requestId}`;

export const rememberLease = (requestId: string): void => sessionStorage.setItem(nameOf(requestId), 'held');
export const hasRememberedLease = (requestId: string): boolean =>
  sessionStorage.getItem(nameOf(requestId)) !== null;
export const forgetLease = (requestId: string): void => sessionStorage.removeItem(nameOf(requestId));
