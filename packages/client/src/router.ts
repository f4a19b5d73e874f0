import type {
  AddedStaff,
  AddPasskey,
  AddStaff,
  AdoptDraft,
  Account,
  AccountLimits,
  AccountList,
  AccountRef,
  ApiKey,
  ApiKeyList,
  ApplyHeldOutput,
  AuditList,
  BegunPasskey,
  BreakGlass,
  ClaimRequest,
  CloseRequest,
  CompareHeldOutput,
  CreateAccount,
  CreateApiKey,
  CreatedApiKey,
  DeliveryDetail,
  DeliveryList,
  DiscardDraft,
  DiscardedDraft,
  DeliveryRef,
  DeliverySummaryList,
  DismissedHeldOutputs,
  DismissHeldOutput,
  DismissHeldOutputs,
  Draft,
  DraftList,
  EmergencyAccess,
  EndedPasskey,
  EndedSession,
  FailedWork,
  FailWork,
  HeartbeatWork,
  HeldComparison,
  HeldOutputDetail,
  HeldOutputList,
  HeldReport,
  ListHeldOutputs,
  ListAudit,
  ListDeliveries,
  FindAccounts,
  ListPage,
  ListRequests,
  Myself,
  NotedCopy,
  OutputReceipt,
  Passkey,
  PasskeyList,
  PasskeyRef,
  PayerList,
  PayerNames,
  Problem,
  RedeliveredExhausted,
  RedeliveredMatching,
  RedeliverExhausted,
  RedeliverMatching,
  ReleasedWork,
  ReleaseWork,
  RenewedLease,
  RequestDrafts,
  RequestList,
  RequestModel,
  RequestReaderList,
  QueueReport,
  ReasonsReport,
  ReportMonth,
  ReportQueue,
  ReportRange,
  ReportReasons,
  ReportTimes,
  RequestRef,
  RequestsReport,
  RequestSummaryList,
  RequestView,
  ResponseModel,
  ResponseTimesReport,
  SaveDraft,
  SavedDraft,
  Schemas,
  SearchRequests,
  SessionRef,
  SetAccountLimits,
  SetSettings,
  SetStaffRoles,
  Settings,
  StaffLink,
  StaffList,
  StaffMember,
  StaffRef,
  StaffSessionList,
  SubmittedWork,
  TimesReport,
  ValidationError,
  VerificationAttemptList,
  WebhookSecret,
  WorkDay,
  WorkDayStart,
  WorkItem,
  WorkItemList,
  WorkPayerList,
  WorkStats,
  X12ExchangeList,
} from '@insurance-verification/schema';
import type {
  inferRouterInputs,
  inferRouterOutputs,
  TRPC_ERROR_CODE_KEY,
  TRPC_ERROR_CODE_NUMBER,
  TRPCBuiltRouter,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
} from '@trpc/server';
import type * as z from 'zod';

/**
 * The `error.data` of a failed call: tRPC's own `code` (`'NOT_FOUND'`) and `httpStatus`, as from every tRPC server,
 * plus all faults of the input (422) or the problem (every other status).
 */
export type TrpcErrorData = { readonly code: TRPC_ERROR_CODE_KEY; readonly httpStatus: number } & (
  | { readonly detail: ValidationError[]; readonly problem?: never }
  | { readonly problem: Problem; readonly detail?: never }
);

/** An error in the tRPC API's form. Branch on `data`; `message` is a sentence for people. */
export interface TrpcErrorShape {
  readonly code: TRPC_ERROR_CODE_NUMBER;
  readonly message: string;
  readonly data: TrpcErrorData;
}

interface RootTypes {
  ctx: object;
  meta: object;
  errorShape: TrpcErrorShape;
  transformer: false;
}

type Query<Input, Output> = TRPCQueryProcedure<{
  meta: unknown;
  input: Input;
  output: Output;
  errorShape: TrpcErrorShape;
}>;

type Mutation<Input, Output> = TRPCMutationProcedure<{
  meta: unknown;
  input: Input;
  output: Output;
  errorShape: TrpcErrorShape;
}>;

interface HeldOutputRef {
  held_id: string;
}

/**
 * The service's tRPC router as a type, for any tRPC client (`createTRPCClient<AppRouter>`, the React adapter). It is
 * written out here so that no code of the service comes with it; the service's type tests prove that it equals the
 * actual router.
 *
 * `P` are the payer names; by default a payer is any string, since a service's payers are configured at its start.
 */
export type AppRouter<P extends PayerNames = PayerNames> = TRPCBuiltRouter<
  RootTypes,
  {
    requests: {
      /** Stores a request and returns it as pending. With an Idempotency-Key a retry stores it only once. */
      create: Mutation<z.input<Schemas<P>['RequestInfo']>, RequestModel<P>>;
      /** The account's requests, newest first. */
      list: Query<z.input<typeof ListRequests>, RequestList<P>>;
      /**
       * Requests by id, Idempotency-Key, whole member id or how they stand, newest first, without their patients; an
       * operator's call covers every account. With rare matches a page may be short or empty before the last one: only a
       * `next_cursor` of null marks the end.
       */
      search: Mutation<z.input<typeof SearchRequests>, RequestSummaryList>;
      /** One request in its current state; for an operator any account's. 404 `not_found`. */
      get: Query<RequestRef, RequestModel<P>>;
      /** The current result; for an operator any account's. 404 `result_not_ready` before there is one. */
      result: Query<RequestRef, ResponseModel<P>>;
      /** A request's deliveries with all attempts; for an operator any account's. 404 `not_found`. */
      deliveries: Query<RequestRef, DeliveryList>;
      /** Starts a new round of attempts for an exhausted or delivered message. 409 `no_result`. */
      redeliver: Mutation<RequestRef, RequestModel<P>>;
      /** Ends an unfinished request as error_verifying, delivered like any result. 409 `request_finished`. */
      close: Mutation<RequestRef & CloseRequest, RequestModel<P>>;
      /** Every attempt at a request: why it failed, and who must fix it. */
      attempts: Query<RequestRef, VerificationAttemptList>;
      /** The X12 inquiries to payers about a request, and their answers: for operators. */
      exchanges: Query<RequestRef, X12ExchangeList>;
      /** Everything that happened to a request; the patient only for callers who may post requests of its account. */
      view: Query<RequestRef, RequestView<P>>;
      /** The request with its patient, and the result, for a page that did not show them. Each call is on record. */
      reveal: Mutation<RequestRef, ResponseModel<P>>;
      /** Records that patient data was copied out of a page. */
      noteCopy: Mutation<RequestRef, NotedCopy>;
      /** Who did what with a request, and how often: for operators and auditors. */
      readers: Query<RequestRef, RequestReaderList>;
    };
    payers: {
      /** The payers that requests may name. */
      list: Query<void, PayerList>;
    };
    demo: {
      /** Makes a request of the test account that the sandbox answers; on a machine of one's own alone. 404 `not_found`. */
      play: Mutation<void, RequestModel<P>>;
    };
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
    deliveries: {
      /**
       * Deliveries with their last attempts, newest first; an operator's call covers every account. With rare matches a
       * page may be short or empty before the last one: only a `next_cursor` of null marks the end.
       */
      list: Query<z.input<typeof ListDeliveries>, DeliverySummaryList>;
      /** One delivery with every attempt. 404 `not_found`. */
      get: Query<DeliveryRef, DeliveryDetail>;
      /**
       * Counts matching deliveries with `dry_run`; with the token of that count, starts a new round of attempts for
       * those alone. An operator's call covers every account.
       */
      redeliverMatching: Mutation<z.input<typeof RedeliverMatching>, RedeliveredMatching>;
      /**
       * Starts a new round of attempts for every message exhausted since a time; an operator's call covers every
       * account.
       */
      redeliverExhausted: Mutation<z.input<typeof RedeliverExhausted>, RedeliveredExhausted>;
    };
    verificationOutput: {
      /** Submits a result. It is always accepted; only a key with scope `verify` learns its disposition. */
      submit: Mutation<z.input<Schemas<P>['ResponseModel']>, OutputReceipt>;
    };
    heldOutputs: {
      /** The outputs awaiting an operator, of one reason or of all, newest first. */
      list: Query<z.input<typeof ListHeldOutputs>, HeldOutputList>;
      /** One held output with its body. 404 `not_found`. */
      get: Query<HeldOutputRef, HeldOutputDetail<P>>;
      /** A held output beside what was asked and what stands, with what differs. 404 `not_found`. */
      compare: Query<HeldOutputRef & CompareHeldOutput, HeldComparison<P>>;
      /** Applies a held output, to its own request or to a named one. 409 `held_output_settled`. */
      apply: Mutation<HeldOutputRef & ApplyHeldOutput, OutputReceipt>;
      /** Settles a held output without applying it. 409 `held_output_settled`. */
      dismiss: Mutation<HeldOutputRef & DismissHeldOutput, { status: 'dismissed' }>;
      /** Dismisses all held outputs of a reason, up to a limit. Not retried: a second call may dismiss more. */
      dismissMany: Mutation<z.input<typeof DismissHeldOutputs>, DismissedHeldOutputs>;
    };
    keys: {
      /**
       * Creates a key for an account, by default for a year. Its text is in this answer and nowhere else; if the answer
       * is lost, revoke the key and create another.
       */
      create: Mutation<z.input<typeof CreateApiKey>, CreatedApiKey>;
      /** Every account's keys, including revoked ones, newest first. */
      list: Query<z.input<typeof ListPage>, ApiKeyList>;
      /** Revokes a key. Idempotent. 404 `not_found`. */
      revoke: Mutation<{ key_id: string }, ApiKey>;
    };
    accounts: {
      /** Creates an account with its own webhook secret. */
      create: Mutation<z.input<typeof CreateAccount>, Account>;
      /** Every account, newest first. */
      list: Query<z.input<typeof ListPage>, AccountList>;
      /** How much an account may use, and from which networks. 404 `not_found`. */
      limits: Query<AccountRef, AccountLimits>;
      /** Sets how much an account may use, and from which networks. 404 `not_found`. */
      setLimits: Mutation<AccountRef & z.input<typeof SetAccountLimits>, AccountLimits>;
      /**
       * Refuses an account's keys; what it had accepted is still verified and delivered. Idempotent. 409
       * `locks_caller_out` for the account of the calling key.
       */
      suspend: Mutation<AccountRef, Account>;
      /** Lets a suspended account's keys work again. Idempotent. 404 `not_found`. */
      resume: Mutation<AccountRef, Account>;
    };
    staff: {
      /** Adds a person who signs in, with a first one-time link. */
      add: Mutation<z.input<typeof AddStaff>, AddedStaff>;
      /** Everyone who signs in, or did, newest first. */
      list: Query<z.input<typeof ListPage>, StaffList>;
      /** Replaces a person's roles, effective from their next call on. */
      setRoles: Mutation<StaffRef & z.input<typeof SetStaffRoles>, StaffMember>;
      /** Creates a link that signs a person in once, within 30 minutes. */
      link: Mutation<StaffRef, StaffLink>;
      /** Ends a person's access, with all their sessions. Idempotent. */
      end: Mutation<StaffRef, StaffMember>;
    };
    sessions: {
      /** The caller, and what it may do. */
      me: Query<void, Myself>;
      /** The accounts that the person who is signed in may act for. 403 `person_required` for a key. */
      accounts: Query<z.input<typeof FindAccounts>, AccountList>;
      /** The live sessions: everyone's for an admin, otherwise the caller's own. */
      list: Query<z.input<typeof ListPage>, StaffSessionList>;
      /** Ends a session in every process at once. Idempotent. */
      end: Mutation<SessionRef, EndedSession>;
      /** Gives an operator's session emergency access for an hour. Not retried: a second call begins another. */
      breakGlass: Mutation<SessionRef & BreakGlass, EmergencyAccess>;
    };
    passkeys: {
      /** The passkeys of the person who is signed in. As all of these, 403 `person_required` for a key. */
      list: Query<void, PasskeyList>;
      /** What a browser needs to make a passkey. 409 `passkeys_need_name` at an address made of numbers. */
      begin: Mutation<void, BegunPasskey>;
      /** Registers what the browser has made. Not retried: the token of `begin` works once. */
      add: Mutation<z.input<typeof AddPasskey>, Passkey>;
      /** Removes a passkey. 404 `not_found`. */
      end: Mutation<PasskeyRef, EndedPasskey>;
    };
    settings: {
      /** How the person who is signed in has set up the console. 403 `person_required` for a key. */
      get: Query<void, Settings>;
      /** Changes what the input names. */
      set: Mutation<z.input<typeof SetSettings>, Settings>;
    };
    audit: {
      /**
       * Who did or saw what, newest first. Reading it is recorded as well. A page may be short or empty before the last
       * one: only a `next_cursor` of null marks the end.
       */
      list: Query<z.input<typeof ListAudit>, AuditList>;
    };
    reports: {
      /** Each payer's X12 response times in a month; defaults to the current one. */
      responseTimes: Query<ReportMonth, ResponseTimesReport>;
      /** Requests by outcome, by hour or day: of one's own account, or for operators of all. */
      requests: Query<z.input<typeof ReportRange>, RequestsReport>;
      /** How long results, handling, payers' answers or deliveries took, by hour or day. */
      times: Query<z.input<typeof ReportTimes>, TimesReport>;
      /** How often which reason was given, and who has to act on it. */
      reasons: Query<z.input<typeof ReportReasons>, ReasonsReport>;
      /** What waits now, by payer and channel. */
      queue: Query<ReportQueue, QueueReport>;
      /** Held outputs by hour or day, and what is held now: for operators. */
      held: Query<z.input<typeof ReportRange>, HeldReport>;
    };
    webhookSecret: {
      /** The account's webhook secrets. */
      get: Query<void, WebhookSecret>;
      /**
       * Creates a new secret; the previous one keeps signing beside it for 24 hours. Not retried: each call creates
       * another, and at most nine old ones are kept within a day.
       */
      rotate: Mutation<void, WebhookSecret>;
    };
  }
>;

/** The input of each operation: `RouterInputs['requests']['create']`. Fields with a default are optional. */
export type RouterInputs<P extends PayerNames = PayerNames> = inferRouterInputs<AppRouter<P>>;

/** The output of each operation: `RouterOutputs['requests']['create']`. */
export type RouterOutputs<P extends PayerNames = PayerNames> = inferRouterOutputs<AppRouter<P>>;
