import type {
  AddedStaff,
  AddStaff,
  Account,
  AccountLimits,
  AccountList,
  AccountRef,
  ApiKey,
  ApiKeyList,
  ApplyHeldOutput,
  AuditList,
  ClaimRequest,
  CloseRequest,
  CreateAccount,
  CreateApiKey,
  CreatedApiKey,
  DeliveryList,
  DismissedHeldOutputs,
  DismissHeldOutput,
  DismissHeldOutputs,
  EndedSession,
  FailedWork,
  FailWork,
  FoundRequestList,
  HeartbeatWork,
  HeldOutputDetail,
  HeldOutputList,
  ListHeldOutputs,
  ListAudit,
  ListPage,
  ListRequests,
  Myself,
  OutputReceipt,
  PayerNames,
  Problem,
  RedeliveredExhausted,
  RedeliverExhausted,
  ReleasedWork,
  ReleaseWork,
  RenewedLease,
  RequestList,
  RequestModel,
  ReportMonth,
  RequestRef,
  ResponseModel,
  ResponseTimesReport,
  Schemas,
  SearchRequests,
  SessionRef,
  SetAccountLimits,
  SetStaffRoles,
  StaffLink,
  StaffList,
  StaffMember,
  StaffRef,
  StaffSessionList,
  SubmittedWork,
  ValidationError,
  VerificationAttemptList,
  WebhookSecret,
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
 * What `error.data` of a failed call holds: tRPC's own `code` (`'NOT_FOUND'`) and `httpStatus`, as every tRPC server
 * answers them, and all faults of the input (422) or the problem (every other status).
 */
export type TrpcErrorData = { readonly code: TRPC_ERROR_CODE_KEY; readonly httpStatus: number } & (
  | { readonly detail: ValidationError[]; readonly problem?: never }
  | { readonly problem: Problem; readonly detail?: never }
);

/** An error as the tRPC door answers it. Branch on `data`; `message` is a sentence for people. */
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
 * written out here so that no code of the service comes with it; the service's own type tests prove that it is that
 * router.
 *
 * `P` are the payer names: left out, a payer is any string, since a service's payers are configured when it starts.
 */
export type AppRouter<P extends PayerNames = PayerNames> = TRPCBuiltRouter<
  RootTypes,
  {
    requests: {
      /** Stores a request and answers it as pending. With an Idempotency-Key a retry stores it once. */
      create: Mutation<z.input<Schemas<P>['RequestInfo']>, RequestModel<P>>;
      /** The account's requests, newest first. */
      list: Query<z.input<typeof ListRequests>, RequestList<P>>;
      /** The requests of every account that have this id, or were created with this Idempotency-Key: for operators. */
      search: Query<z.input<typeof SearchRequests>, FoundRequestList<P>>;
      /** One request as it stands now; for an operator any account's. 404 `not_found`. */
      get: Query<RequestRef, RequestModel<P>>;
      /** The result that stands, for an operator of any account's request. 404 `result_not_ready` before there is one. */
      result: Query<RequestRef, ResponseModel<P>>;
      /** A request's deliveries with every attempt; for an operator of any account's. 404 `not_found`. */
      deliveries: Query<RequestRef, DeliveryList>;
      /** Starts a new round of attempts of the message that was exhausted or delivered. 409 `no_result`. */
      redeliver: Mutation<RequestRef, RequestModel<P>>;
      /** Ends an unfinished request as error_verifying, delivered like any result. 409 `request_finished`. */
      close: Mutation<RequestRef & CloseRequest, RequestModel<P>>;
      /** Every attempt at a request: why it failed, and who must fix it. */
      attempts: Query<RequestRef, VerificationAttemptList>;
      /** What payers were asked for a request over X12, and what they answered: for operators. */
      exchanges: Query<RequestRef, X12ExchangeList>;
    };
    work: {
      /**
       * Leases waiting requests to a verifier; with `wait_seconds` it waits for some. Not retried: what a lost answer leased
       * comes back when the leases end.
       */
      claim: Mutation<z.input<Schemas<P>['ClaimWork']>, WorkItemList<P>>;
      /**
       * Leases one named request to a verifier, whatever waits before it. Not retried, as a claim. 409 `request_finished`,
       * `request_leased` or `request_not_claimable`.
       */
      claimRequest: Mutation<RequestRef & ClaimRequest, WorkItem<P>>;
      /** Says that the verifier is still at it. 409 `lease_lost`. */
      heartbeat: Mutation<RequestRef & HeartbeatWork, RenewedLease>;
      /** Gives a request back untried. 409 `lease_lost`. */
      release: Mutation<RequestRef & ReleaseWork, ReleasedWork>;
      /** Says that this channel cannot find out. 409 `lease_lost`. */
      fail: Mutation<RequestRef & FailWork, FailedWork>;
      /** Hands in what was found out. 409 `lease_lost`. */
      submit: Mutation<RequestRef & z.input<Schemas<P>['SubmitWork']>, SubmittedWork>;
      /** How every channel of every payer stands. */
      stats: Query<void, WorkStats<P>>;
      /** How to reach each payer, and what verifiers should know about it. */
      payers: Query<void, WorkPayerList<P>>;
    };
    deliveries: {
      /** Starts a new round of attempts of every message exhausted since a time; an operator's call is for every account. */
      redeliverExhausted: Mutation<z.input<typeof RedeliverExhausted>, RedeliveredExhausted>;
    };
    verificationOutput: {
      /** Hands in a result. It is always accepted; only a key with scope `verify` learns what became of it. */
      submit: Mutation<z.input<Schemas<P>['ResponseModel']>, OutputReceipt>;
    };
    heldOutputs: {
      /** What waits for an operator, of one reason or of all, newest first. */
      list: Query<z.input<typeof ListHeldOutputs>, HeldOutputList>;
      /** One held output with its body. 404 `not_found`. */
      get: Query<HeldOutputRef, HeldOutputDetail<P>>;
      /** Applies a held output, to its own request or to a named one. 409 `held_output_settled`. */
      apply: Mutation<HeldOutputRef & ApplyHeldOutput, OutputReceipt>;
      /** Ends a held output without applying it. 409 `held_output_settled`. */
      dismiss: Mutation<HeldOutputRef & DismissHeldOutput, { status: 'dismissed' }>;
      /** Ends all held outputs of a reason, up to a limit, without applying any. Not retried: it may do more the second time. */
      dismissMany: Mutation<z.input<typeof DismissHeldOutputs>, DismissedHeldOutputs>;
    };
    keys: {
      /**
       * Makes a key for an account, for a year unless told otherwise. Its text is in this answer and nowhere else; after a
       * lost answer, revoke and make another.
       */
      create: Mutation<z.input<typeof CreateApiKey>, CreatedApiKey>;
      /** Every account's keys, revoked ones too, newest first. */
      list: Query<z.input<typeof ListPage>, ApiKeyList>;
      /** Revokes a key. Idempotent. 404 `not_found`. */
      revoke: Mutation<{ key_id: string }, ApiKey>;
    };
    accounts: {
      /** Makes an account with a webhook secret of its own. */
      create: Mutation<z.input<typeof CreateAccount>, Account>;
      /** Every account, newest first. */
      list: Query<z.input<typeof ListPage>, AccountList>;
      /** What an account may take, and from where. 404 `not_found`. */
      limits: Query<AccountRef, AccountLimits>;
      /** Sets what an account may take, and from where. 404 `not_found`. */
      setLimits: Mutation<AccountRef & z.input<typeof SetAccountLimits>, AccountLimits>;
      /**
       * Refuses an account's keys; what it had accepted is verified and delivered. Idempotent. 409 `locks_caller_out` for
       * the account of the key that asks.
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
      /** Gives a person these roles instead, from their next call on. */
      setRoles: Mutation<StaffRef & z.input<typeof SetStaffRoles>, StaffMember>;
      /** Makes a link that signs a person in once, within 30 minutes. */
      link: Mutation<StaffRef, StaffLink>;
      /** Ends what a person may do, with every session. Again is the same as once. */
      end: Mutation<StaffRef, StaffMember>;
    };
    sessions: {
      /** Who asks, and what they may do. */
      me: Query<void, Myself>;
      /** The sessions under way: an admin's list is of everyone's, anyone else's of their own. */
      list: Query<z.input<typeof ListPage>, StaffSessionList>;
      /** Ends a session in every process at once. Again is the same as once. */
      end: Mutation<SessionRef, EndedSession>;
    };
    audit: {
      /**
       * Who did or saw what, newest first. Reading it leaves a line as well. A page may be short, or empty, before the last
       * one: only a `next_cursor` of null says that there is no more.
       */
      list: Query<z.input<typeof ListAudit>, AuditList>;
    };
    reports: {
      /** How fast each payer answered over X12 in a month; the current one when none is named. */
      responseTimes: Query<ReportMonth, ResponseTimesReport>;
    };
    webhookSecret: {
      /** What the account's webhooks are signed with. */
      get: Query<void, WebhookSecret>;
      /**
       * Makes a new secret; the one before signs beside it for 24 hours. Not retried: each makes another, and at most nine
       * old ones are kept within a day.
       */
      rotate: Mutation<void, WebhookSecret>;
    };
  }
>;

/** What each operation takes: `RouterInputs['requests']['create']`. Fields with a default may be left out. */
export type RouterInputs<P extends PayerNames = PayerNames> = inferRouterInputs<AppRouter<P>>;

/** What each operation answers: `RouterOutputs['requests']['create']`. */
export type RouterOutputs<P extends PayerNames = PayerNames> = inferRouterOutputs<AppRouter<P>>;
