import type {
  AdoptDraft,
  ClaimRequest,
  DiscardDraft,
  DiscardedDraft,
  Draft,
  DraftList,
  FailedWork,
  FailWork,
  HeartbeatWork,
  ListPage,
  PayerNames,
  ReleasedWork,
  ReleaseWork,
  RenewedLease,
  RequestDrafts,
  RequestRef,
  SavedDraft,
  SaveDraft,
  Schemas,
  SubmittedWork,
  WorkDay,
  WorkDayStart,
  WorkItem,
  WorkItemList,
  WorkPayerList,
  WorkStats,
} from '@insurance-verification/schema';
import type * as z from 'zod';
import type { Mutation, Query } from './procedure.ts';

/** The work queue of people and agents. */
export interface VerificationProcedures<P extends PayerNames> {
  work: {
    /**
     * Leases waiting requests to a verifier; with `wait_seconds` it is a long poll. Not retried: requests leased by a
     * lost answer return when the leases end.
     */
    claim: Mutation<z.input<Schemas<P>['ClaimWork']>, WorkItemList<P>>;
    /**
     * Leases one named request to a verifier, ahead of its queue. Not retried, like a claim. 409 `request_finished`,
     * `request_leased` or `request_not_claimable`.
     */
    claimRequest: Mutation<RequestRef & ClaimRequest, WorkItem<P>>;
    /** Reports that the verifier is still working. 409 `lease_lost`. */
    heartbeat: Mutation<RequestRef & HeartbeatWork, RenewedLease>;
    /**
     * Keeps a lease for 90 minutes of a phone call without heartbeats, and a session without use. 409 `lease_lost`.
     */
    startCall: Mutation<RequestRef & HeartbeatWork, RenewedLease>;
    /** Ends a phone call: heartbeats keep the lease again. 409 `lease_lost`. */
    endCall: Mutation<RequestRef & HeartbeatWork, RenewedLease>;
    /** Returns a request untried. 409 `lease_lost`. */
    release: Mutation<RequestRef & ReleaseWork, ReleasedWork>;
    /** Reports that this channel cannot verify the request. 409 `lease_lost`. */
    fail: Mutation<RequestRef & FailWork, FailedWork>;
    /** Submits a verification's findings. 409 `lease_lost`. */
    submit: Mutation<RequestRef & z.input<Schemas<P>['SubmitWork']>, SubmittedWork>;
    /** The state of every channel of every payer. */
    stats: Query<void, WorkStats<P>>;
    /** How to reach each payer, and what verifiers should know about it. */
    payers: Query<void, WorkPayerList<P>>;
    /** What the caller did by portal and phone today, and how many drafts it has. */
    day: Query<z.input<typeof WorkDayStart>, WorkDay>;
  };
  drafts: {
    /** The caller's drafts without their content, of the newest request first. */
    list: Query<z.input<typeof ListPage>, DraftList<P>>;
    /** The caller's draft about a request, and for whoever holds the lease the latest of somebody else. */
    get: Query<RequestRef, RequestDrafts>;
    /** Saves what is written so far. 409 `draft_changed` when another tab saved since, or `request_finished`. */
    save: Mutation<RequestRef & SaveDraft, SavedDraft>;
    /** Deletes the caller's draft. Idempotent. 409 `draft_changed` when it was saved since. */
    discard: Mutation<RequestRef & DiscardDraft, DiscardedDraft>;
    /** Makes the latest draft of somebody else the caller's own. 409 `lease_lost` or `draft_changed`. */
    adopt: Mutation<RequestRef & AdoptDraft, Draft>;
  };
}
