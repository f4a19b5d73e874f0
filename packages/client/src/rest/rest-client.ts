import type {
  Account,
  AccountLimits,
  AccountList,
  ApiKey,
  ApiKeyList,
  AuditLine,
  AuditList,
  CreatedApiKey,
  DeliveryList,
  DismissedHeldOutputs,
  FailedWork,
  HeldOutput,
  HeldOutputDetail,
  HeldOutputList,
  OutputReceipt,
  PayerNames,
  RedeliveredExhausted,
  ReleasedWork,
  RenewedLease,
  RequestList,
  RequestModel,
  RequestRef,
  ResponseModel,
  SubmittedWork,
  VerificationAttemptList,
  ResponseTimesReport,
  WebhookSecret,
  WorkItem,
  WorkItemList,
  WorkPayerList,
  WorkStats,
  X12ExchangeList,
} from '@insurance-verification/schema';
import type { RouterInputs } from '../router.ts';

/** What any call takes beside its input. */
export interface CallOptions {
  /** Ends the call, its retries too; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** What a create takes beside its input. */
export interface CreateOptions extends CallOptions {
  /**
   * Names the request across attempts, of this call and of later ones: the same key and input give the first answer
   * again. 1 to 255 printable ASCII characters; a random one when left out, which the error of a failed call tells.
   */
  readonly idempotencyKey?: string | undefined;
}

/** The pages of a list, one item at a time: the input without the cursor, which is the iterator's. */
type Pages<Input, Item> = (
  input?: Omit<Input, 'cursor'>,
  options?: CallOptions,
) => AsyncGenerator<Item, void, void>;

/**
 * The service's operations over REST, grouped and named as in the router. Every method rejects with a class of
 * `InsuranceVerificationError`.
 */
export interface RestClient<P extends PayerNames = PayerNames> {
  readonly requests: {
    /** Stores a request and answers it as pending. Retried with its Idempotency-Key, so it is stored once. */
    create(input: RouterInputs<P>['requests']['create'], options?: CreateOptions): Promise<RequestModel<P>>;
    /** One page of the account's requests, newest first. */
    list(input?: RouterInputs<P>['requests']['list'], options?: CallOptions): Promise<RequestList<P>>;
    /** All of the account's requests, newest first; `limit` is the size of a page. */
    listAll: Pages<RouterInputs<P>['requests']['list'], RequestModel<P>>;
    /** One request as it stands now. @throws NotFoundError */
    get(input: RequestRef, options?: CallOptions): Promise<RequestModel<P>>;
    /** The result that stands. @throws NotFoundError with `problemCode` `result_not_ready` before there is one. */
    result(input: RequestRef, options?: CallOptions): Promise<ResponseModel<P>>;
    /** A request's deliveries with every attempt. @throws NotFoundError */
    deliveries(input: RequestRef, options?: CallOptions): Promise<DeliveryList>;
    /** Starts a new round of attempts of the message that was exhausted or delivered. @throws ConflictError `no_result` */
    redeliver(input: RequestRef, options?: CallOptions): Promise<RequestModel<P>>;
    /** Ends an unfinished request as error_verifying. @throws ConflictError `request_finished` */
    close(input: RouterInputs<P>['requests']['close'], options?: CallOptions): Promise<RequestModel<P>>;
    /** Every attempt at a request: why it failed, and who must fix it. @throws NotFoundError */
    attempts(input: RequestRef, options?: CallOptions): Promise<VerificationAttemptList>;
    /** What payers were asked for a request over X12, and what they answered: for operators. @throws NotFoundError */
    exchanges(input: RequestRef, options?: CallOptions): Promise<X12ExchangeList>;
  };
  readonly work: {
    /** Leases waiting requests to a verifier; with `wait_seconds` it waits for some. Not retried: see the lease's end. */
    claim(input: RouterInputs<P>['work']['claim'], options?: CallOptions): Promise<WorkItemList<P>>;
    /**
     * Leases one named request, whatever waits before it. Not retried: see the lease's end.
     * @throws ConflictError `request_finished`, `request_leased` or `request_not_claimable`
     */
    claimRequest(input: RouterInputs<P>['work']['claimRequest'], options?: CallOptions): Promise<WorkItem<P>>;
    /** Says that the verifier is still at it. @throws ConflictError `lease_lost` */
    heartbeat(input: RouterInputs<P>['work']['heartbeat'], options?: CallOptions): Promise<RenewedLease>;
    /** Gives a request back untried. @throws ConflictError `lease_lost` */
    release(input: RouterInputs<P>['work']['release'], options?: CallOptions): Promise<ReleasedWork>;
    /** Says that this channel cannot find out. @throws ConflictError `lease_lost` */
    fail(input: RouterInputs<P>['work']['fail'], options?: CallOptions): Promise<FailedWork>;
    /** Hands in what was found out. @throws ConflictError `lease_lost` */
    submit(input: RouterInputs<P>['work']['submit'], options?: CallOptions): Promise<SubmittedWork>;
    /** How every channel of every payer stands. */
    stats(options?: CallOptions): Promise<WorkStats<P>>;
    /** How to reach each payer, and what verifiers should know about it. */
    payers(options?: CallOptions): Promise<WorkPayerList<P>>;
  };
  readonly deliveries: {
    /** Starts a new round of attempts of every message exhausted since a time; an operator's call is for every account. */
    redeliverExhausted(
      input: RouterInputs<P>['deliveries']['redeliverExhausted'],
      options?: CallOptions,
    ): Promise<RedeliveredExhausted>;
  };
  readonly verificationOutput: {
    /** Hands in a result. It is always accepted; only a key with scope `verify` learns what became of it. */
    submit(
      input: RouterInputs<P>['verificationOutput']['submit'],
      options?: CallOptions,
    ): Promise<OutputReceipt>;
  };
  readonly heldOutputs: {
    /** One page of what waits for an operator, of one reason or of all, newest first. */
    list(input?: RouterInputs<P>['heldOutputs']['list'], options?: CallOptions): Promise<HeldOutputList>;
    /** All that waits for an operator, of one reason or of all, newest first. */
    listAll: Pages<RouterInputs<P>['heldOutputs']['list'], HeldOutput>;
    /** One held output with its body. @throws NotFoundError */
    get(input: RouterInputs<P>['heldOutputs']['get'], options?: CallOptions): Promise<HeldOutputDetail<P>>;
    /** Applies a held output, to its own request or to a named one. @throws ConflictError `held_output_settled` */
    apply(input: RouterInputs<P>['heldOutputs']['apply'], options?: CallOptions): Promise<OutputReceipt>;
    /** Ends a held output without applying it. @throws ConflictError `held_output_settled` */
    dismiss(
      input: RouterInputs<P>['heldOutputs']['dismiss'],
      options?: CallOptions,
    ): Promise<{ status: 'dismissed' }>;
    /** Ends all held outputs of a reason, up to a limit, without applying any. Not retried: it may do more the second time. */
    dismissMany(
      input: RouterInputs<P>['heldOutputs']['dismissMany'],
      options?: CallOptions,
    ): Promise<DismissedHeldOutputs>;
  };
  readonly keys: {
    /** Makes a key for an account, for a year unless told otherwise. Its text is in this answer and nowhere else; after a lost answer, revoke and make another. */
    create(input: RouterInputs<P>['keys']['create'], options?: CallOptions): Promise<CreatedApiKey>;
    /** One page of every account's keys, revoked ones too, newest first. */
    list(input?: RouterInputs<P>['keys']['list'], options?: CallOptions): Promise<ApiKeyList>;
    /** Every account's keys, revoked ones too, newest first. */
    listAll: Pages<RouterInputs<P>['keys']['list'], ApiKey>;
    /** Ends a key. Again is the same as once. @throws NotFoundError */
    revoke(input: RouterInputs<P>['keys']['revoke'], options?: CallOptions): Promise<ApiKey>;
  };
  readonly accounts: {
    /** Makes an account with a webhook secret of its own. */
    create(input: RouterInputs<P>['accounts']['create'], options?: CallOptions): Promise<Account>;
    /** One page of the accounts, newest first. */
    list(input?: RouterInputs<P>['accounts']['list'], options?: CallOptions): Promise<AccountList>;
    /** Every account, newest first. */
    listAll: Pages<RouterInputs<P>['accounts']['list'], Account>;
    /** What an account may take, and from where. @throws NotFoundError */
    limits(input: RouterInputs<P>['accounts']['limits'], options?: CallOptions): Promise<AccountLimits>;
    /** Sets what an account may take, and from where. @throws NotFoundError */
    setLimits(input: RouterInputs<P>['accounts']['setLimits'], options?: CallOptions): Promise<AccountLimits>;
    /**
     * Refuses an account's keys; what it had accepted is verified and delivered. Again is the same as once.
     * @throws ConflictError `locks_caller_out` for the account of the key that asks
     */
    suspend(input: RouterInputs<P>['accounts']['suspend'], options?: CallOptions): Promise<Account>;
    /** Lets a suspended account's keys work again. Again is the same as once. @throws NotFoundError */
    resume(input: RouterInputs<P>['accounts']['resume'], options?: CallOptions): Promise<Account>;
  };
  readonly audit: {
    /**
     * One page of who did or saw what, newest first. It may be short, or empty, before the last one: only a
     * `next_cursor` of null says that there is no more.
     */
    list(input?: RouterInputs<P>['audit']['list'], options?: CallOptions): Promise<AuditList>;
    /** All of it, newest first. */
    listAll: Pages<RouterInputs<P>['audit']['list'], AuditLine>;
  };
  readonly reports: {
    /** How fast each payer answered over X12 in a month; the current one when none is named. */
    responseTimes(
      input?: RouterInputs<P>['reports']['responseTimes'],
      options?: CallOptions,
    ): Promise<ResponseTimesReport>;
  };
  readonly webhookSecret: {
    /** What the account's webhooks are signed with. */
    get(options?: CallOptions): Promise<WebhookSecret>;
    /** Makes a new secret; the one before signs beside it for 24 hours. Not retried: twice would end the first one. */
    rotate(options?: CallOptions): Promise<WebhookSecret>;
  };
}
