// Made from the service's router by `npx -y pnpm@12 openapi`; change it there.
import type * as models from '@insurance-verification/schema';
import type * as z from 'zod';
import type { Mutation, Query, Route } from './procedure.ts';

/** What each operation takes and answers. */
export interface Operations<P extends models.PayerNames> {
  requests: {
    /** Stores a request to verify a patient's eligibility. The signed result is posted to `callback_url` later (the webhook `verificationResult`). A retry with the same `Idempotency-Key` returns the first answer and creates no second request. A request may take 128 KiB as JSON without white space, with characters outside ASCII escaped (`\u00e9`); a larger one is a 413. Unknown members are ignored. In a test account the examples’ member ids are answered at once, such as `TEST-ACTIVE`. 409 `idempotency_in_progress`, 410 `request_erased`. */
    create: Mutation<z.input<models.Schemas<P>['RequestInfo']>, models.RequestModel<P>>;
    /** Returns a page of the account's requests, in one `state` if you give one. Pass `next_cursor` to get the next page; it is null on the last. `erased` has the requests whose data was erased. */
    list: Query<z.input<typeof models.ListRequests>, models.RequestList<P>>;
    /** Returns the requests that match every criterion: for operators of every account, for others of their own. A page before the last may be short. */
    search: Mutation<z.input<typeof models.SearchRequests>, models.RequestSummaryList>;
    /** Counts requests that are past the time they were needed and have no result, and deliveries that were given up, up to 10,000 each. With scope `operate`, of every account, and with a live key of live ones only. */
    stats: Query<void, models.RequestStats>;
    /** Returns the current state of a request. It is `complete` as soon as a result is accepted, before the webhook is delivered. With scope `verify` you can read requests that you lease, or worked on within a day. 404 `not_found`, 410 `request_erased`. */
    get: Query<{ request_id: string }, models.RequestModel<P>>;
    /** Ends a request that has no outcome yet as `error_verifying` with the given reason, delivered like any result. Use `withdrawn` if the answer is no longer needed. 404 `not_found`, 409 `request_finished`, 410 `request_erased`. Not retried. */
    close: Mutation<{ request_id: string } & z.input<typeof models.CloseRequest>, models.RequestModel<P>>;
    /** Returns the state of a request with its attempts, results, deliveries, held outputs and coverages in one answer. `revealed` has the patient and the result where the caller may create requests in its account; else `requests.reveal` returns it. 404 `not_found`. */
    view: Query<{ request_id: string }, models.RequestView<P>>;
    /** Returns the patient and the result, which `requests.view` withholds from callers who work on requests of other accounts. Each call is in the access log under its own name. `insurance_data` is empty until there is a result. 404 `not_found`, 410 `request_erased`. */
    reveal: Mutation<{ request_id: string }, models.ResponseModel<P>>;
    /** Requests the erasure of everything the service has about one request, finished or not. A different person must confirm it within 7 days (`erasures.confirm`); nothing is erased before. Requesting it again changes nothing, even after the erasure. 404 `not_found`, 409 `legal_hold`, 410 `request_erased`. */
    erase: Mutation<{ request_id: string } & z.input<typeof models.EraseRequest>, models.Erasure>;
    /** Lists who did what with a request, and how often, from the newest 10,000 lines of the access log: one row for each caller and operation, the latest first. For auditors, and for operators, who may read the request itself. This call is in the access log too. 404 `not_found`. */
    readers: Query<{ request_id: string }, models.RequestReaderList>;
    /** Returns the latest result of a request, as in its webhook, with the current state of the request. Returns 404 `result_not_ready` until there is a result. 404 `not_found`, 404 `result_not_ready`, 410 `request_erased`. */
    result: Query<{ request_id: string }, models.ResponseModel<P>>;
    /** Returns everything the payer reported in addition to the result: co-payments, deductibles and what is left of them, limits, authorizations, other payers. `summary` has what a front desk asks for first. The lists are empty for a result without benefits. Returns 404 `result_not_ready` until there is a result. 404 `not_found`, 404 `result_not_ready`, 410 `request_erased`. */
    benefits: Query<{ request_id: string } & z.input<typeof models.GetBenefits>, models.RequestBenefits>;
    /** Lists the deliveries of a request’s results, one for each version, with each attempt, its outcome and the start of the receiver’s response. 404 `not_found`. */
    deliveries: Query<{ request_id: string }, models.DeliveryList>;
    /** Starts a new round of attempts for the latest result: the same message, with the same `webhook-id` and the same bytes. Changes nothing while attempts are still due. 404 `not_found`, 409 `no_result`, 410 `request_erased`. */
    redeliver: Mutation<{ request_id: string }, models.RequestModel<P>>;
    /** Lists each attempt: who made it, through which channel, its outcome and what supports the result. Operators and verifiers also see internal notes. 404 `not_found`, 410 `request_erased`. */
    attempts: Query<{ request_id: string }, models.VerificationAttemptList>;
    /** Lists the X12 inquiries (270) about a request and the responses, as they were sent. Its account gets X12 only; operators also anything else, such as a gateway’s page. 404 `not_found`, 410 `request_erased`. */
    exchanges: Query<{ request_id: string }, models.X12ExchangeList>;
    /** Returns the proof that eligibility was verified: who asked the payer, when and how, the answer, the receipt, the webhook’s SHA-256, the seal of its audit entry; without the patient and the benefits where `requests.reveal` returns them. Returns 404 `result_not_ready` until there is a result. 404 `not_found`, 404 `result_not_ready`, 410 `request_erased`. */
    proof: Query<{ request_id: string }, models.VerificationProof<P>>;
  };
  batches: {
    /** Send up to 100,000 rows and 64 MiB; [the page of batches](/docs/batches) has all. Rows are stored as they come: the same file with the same `Idempotency-Key` resumes it, and another row at a stored place is a 422 that names it. An answer that ends it early has `batch_id` and `rows_stored`: send the mended file with the same key. A row with a fault is rejected; with `mode=all_or_nothing` it rejects all. The others are like single requests. 409 `idempotency_in_progress`, 409 `batch_ended`. */
    create: Mutation<z.input<models.Schemas<P>['CreateBatch']>, models.ReceivedBatch>;
    /** Returns a page of the account’s batches. Pass `next_cursor` to get the next page; it is null on the last. */
    list: Query<z.input<typeof models.ListPage>, models.BatchList>;
    /** Returns a header row and one row of the sandbox. Columns may be in any order; procedure codes are separated by spaces. */
    template: Query<void, models.BatchTemplate>;
    /** Returns where the rows of a batch are now. `Retry-After` says when to read it again; it is absent once the batch has ended, which the event `batch.ended` reports too. 404 `not_found`. */
    get: Query<{ batch_id: string }, models.Batch>;
    /** Returns a line for each fault, in the order of the rows, and a last line `{"end":true,"rows":n}`. Without that line the answer was cut off: pass the row before the last one as `after`. Faults are kept for 30 days. 404 `not_found`. */
    errors: Query<{ batch_id: string } & z.input<typeof models.ListBatchErrors>, models.BatchRowErrorList>;
    /** Returns a line for each accepted row, as `batches.errors` does, also while the batch runs: the row, its `outcome`, and the result and the benefits as their own operations return them. With `Accept: text/csv` it is a table of the main values. 404 `not_found`. */
    results: Query<{ batch_id: string } & z.input<typeof models.ListBatchResults>, models.BatchResultList<P>>;
    /** Closes the rows that wait, with the reason `withdrawn`, which is delivered like any result; rows that a verifier works on are finished. The batch takes no more rows. 404 `not_found`. */
    cancel: Mutation<{ batch_id: string }, models.Batch>;
  };
  payers: {
    /** Lists the four payers that a request may name, with their ids. */
    list: Query<void, models.PayerList>;
    /** Returns the configured payers that a patient's card may mean, each with the reason, the strongest match first. Show them to a person: a request names its payer exactly. Empty if none matches. */
    resolve: Query<z.input<typeof models.ResolvePayer>, models.PayerCandidateList>;
  };
  demo: {
    /** Creates a request in the oldest test account, for a member that the sandbox answers, with a callback address of this service, which checks the webhook’s signature. Nothing reaches a payer or a live account. Returns 404 unless the service runs on a developer’s machine and has a test account. 404 `not_found`. Not retried. */
    play: Mutation<void, models.RequestModel<P>>;
    /** Creates three clinics with forty requests in every state: answered with benefits, not verified, waiting, overdue, on the phone, held, given up. They are test accounts: nothing reaches a payer or a live account. A second call replaces the first day. Returns 404 unless the service runs on a developer’s machine. 404 `not_found`. Not retried. */
    playDay: Mutation<void, models.DemoDay>;
    /** Deletes the demo day’s test accounts with all their data. The audit keeps its entries. Returns 404 unless the service runs on a developer’s machine. 404 `not_found`. */
    clearDay: Mutation<void, models.ClearedDemoDay>;
  };
  work: {
    /** Leases the next requests that wait in one of the channels, so that only the caller works on them. With `wait_seconds` the call waits for work to arrive. An empty list means that there is no work. A lease ends at `lease_expires_at` unless a heartbeat renews it. Not retried. */
    claim: Mutation<z.input<models.Schemas<P>['ClaimWork']>, models.WorkItemList<P>>;
    /** Leases the request in the path, even if others have waited longer. It must wait in one of the channels: a request that is finished, leased or in another channel is refused. With `take_over`, a request that you lease already gets a new token and the attempt continues. 404 `not_found`, 409 `request_finished`, 409 `request_leased`, 409 `request_not_claimable`, 410 `request_erased`. Not retried. */
    claimRequest: Mutation<{ request_id: string } & z.input<typeof models.ClaimRequest>, models.WorkItem<P>>;
    /** Renews the lease and returns its new expiry. Send a heartbeat well before the lease expires. 404 `not_found`, 409 `lease_lost`, 410 `request_erased`. */
    heartbeat: Mutation<{ request_id: string } & z.input<typeof models.HeartbeatWork>, models.RenewedLease>;
    /** Records that the verifier is on the phone with the payer. For 90 minutes the lease needs no heartbeat and the session does not time out, and colleagues see the call. With `place` `portal`, the verifier reads the payer’s portal and has 30 minutes. Repeating the call changes nothing, except that it restarts the portal’s 30 minutes. 404 `not_found`, 409 `lease_lost`, 410 `request_erased`. */
    startCall: Mutation<{ request_id: string } & z.input<typeof models.StartCall>, models.RenewedLease>;
    /** Records that the call is over. From now on the lease ends at `lease_expires_at` unless a heartbeat renews it. 404 `not_found`, 409 `lease_lost`, 410 `request_erased`. */
    endCall: Mutation<{ request_id: string } & z.input<typeof models.HeartbeatWork>, models.RenewedLease>;
    /** Ends a lease without a result, so that another verifier can claim the request at once. It does not count as an attempt. 404 `not_found`, 409 `lease_lost`, 410 `request_erased`. Not retried. */
    release: Mutation<{ request_id: string } & z.input<typeof models.ReleaseWork>, models.ReleasedWork>;
    /** Reports why this channel could not verify the request. The request passes to the next channel of its payer's route. It ends as `error_verifying` with the reason if no channel is left, if none can help, or if `final` is true. 404 `not_found`, 409 `lease_lost`, 410 `request_erased`. */
    fail: Mutation<{ request_id: string } & z.input<typeof models.FailWork>, models.FailedWork>;
    /** Submits the result and ends the lease. The result is applied and delivered; an agent’s result is held for an operator where the payer’s route requires it. An entry about a different patient, or from another channel than the leased one, is refused; an entry that may be about a different patient is accepted once you send it again with `same_patient_confirmed`. `benefits` is what else the payer reported about these coverages, for `requests.benefits`. 404 `not_found`, 409 `lease_lost`, 410 `request_erased`, 429 `held_capacity_exceeded`. Not retried. */
    submit: Mutation<{ request_id: string } & z.input<models.Schemas<P>['SubmitWork']>, models.SubmittedWork>;
    /** Replaces the result that the caller submitted, or the failure that the caller ended the request with: by coverages, checked as in `work.submit`, or by an `error_reason`. Within ten minutes, and while the receiver has not accepted the webhook, the correction is applied and delivered as the next version. Later it is held for an operator. The provider reads `reason` with the corrected result. A correction without a change returns the current version. 404 `not_found`, 409 `not_own_result`, 410 `request_erased`, 429 `held_capacity_exceeded`. */
    correct: Mutation<{ request_id: string } & z.input<models.Schemas<P>['CorrectWork']>, models.CorrectedWork>;
    /** Reverses the `work.fail` with which the caller passed a request to the next channel, while no verifier has leased it there. The request is in its channel again, leased by the caller; the attempt continues and does not count as failed. 404 `not_found`, 409 `request_finished`, 409 `request_leased`, 409 `request_not_claimable`, 410 `request_erased`. Not retried. */
    takeBack: Mutation<{ request_id: string }, models.WorkItem<P>>;
    /** Ends a lease by phone because the payer asked to be called back. The request waits until `at`, while its channel’s time does not run, and then comes before all other work. It does not count as an attempt. A key or person has 30 call-backs at once; a further one is refused (`too_many_call_backs`). When the key or person ends, its call-backs are open to every verifier at once. 404 `not_found`, 409 `lease_lost`, 409 `too_many_call_backs`, 410 `request_erased`. Not retried. */
    callBack: Mutation<{ request_id: string } & z.input<typeof models.CallBack>, models.ParkedWork>;
    /** Lists the requests that wait for a call-back which the caller may make, the earliest first; with scope `operate` also those that others keep. `work.claim` leases those whose time has come before all other work; `work.claimRequest` leases one earlier. */
    callBacks: Query<void, models.CallBackList>;
    /** Reports for each channel of each payer how many requests wait and are leased now, how many a verifier could claim, and the outcomes of the last 24 hours. */
    stats: Query<z.input<typeof models.CountWork>, models.WorkStats<P>>;
    /** Lists how to reach each configured payer by phone and portal, with notes for verifiers. It leases nothing. */
    payers: Query<void, models.WorkPayerList<P>>;
    /** Counts the results that the caller submitted and the requests that it could not verify since `since`, by portal and phone, with the median time from claim to end; and the caller’s drafts. */
    day: Query<z.input<typeof models.WorkDayStart>, models.WorkDay>;
    /** Lists the requests that the caller submitted a result for or could not verify since `since`, by portal and phone, the latest first, with the state of each webhook and of the latest correction. For a day the caller may read each of them: `requests.get`, `requests.result`, `requests.benefits`, `requests.attempts`. */
    done: Query<z.input<typeof models.WorkDayStart>, models.DoneWorkList>;
  };
  drafts: {
    /** Lists the unfinished requests whose draft the caller saved last, newest request first. Read each draft with `drafts.get`. */
    list: Query<z.input<typeof models.ListPage>, models.DraftList<P>>;
    /** Returns the draft of a request that the caller leases, or worked on within a day and no other verifier leases. 404 `not_found`, 410 `request_erased`. */
    get: Query<{ request_id: string }, models.RequestDraft>;
    /** Saves the draft of a request that the caller leases, or worked on within a day, even if the lease has expired since. If another verifier leases the request, it returns `lease_lost`. If two saves name one revision, the second returns `draft_changed`. A draft is deleted when the request has a result, and seven days after its last save. 404 `not_found`, 409 `request_finished`, 409 `lease_lost`, 409 `draft_changed`, 410 `request_erased`. */
    save: Mutation<{ request_id: string } & z.input<typeof models.SaveDraft>, models.SavedDraft>;
    /** Deletes the draft of a request, unless it was saved again since you read it (`draft_changed`) or another verifier leases the request (`lease_lost`). Deleting a draft that is gone returns the same answer. 404 `not_found`, 409 `lease_lost`, 409 `draft_changed`. */
    discard: Mutation<{ request_id: string } & z.input<typeof models.DiscardDraft>, models.DiscardedDraft>;
  };
  deliveries: {
    /** Returns a page of deliveries with the outcome of their last attempts; with scope `operate`, of every account. Times filter by `accepted_at`. A page before the last may be short or empty: `next_cursor` is null on the last only. */
    list: Query<z.input<typeof models.ListDeliveries>, models.DeliverySummaryList>;
    /** Returns one delivery: its state, when the next attempt is due, and each attempt with its outcome and, of a result, the start of the receiver’s response. 404 `not_found`. */
    get: Query<{ delivery_id: string }, models.DeliveryDetail>;
    /** Takes two calls with the same filters. With `dry_run`, it counts the matching deliveries and returns a `token`. With that token, each of them that still matches gets a new round of attempts, once. A replaced result, or an event whose endpoint is off, does not match. With scope `operate` it covers every account. Repeat both calls while the dry run returns `more`. */
    redeliverMatching: Mutation<z.input<typeof models.RedeliverMatching>, models.RedeliveredMatching>;
    /** Use it after a receiver was down. Takes two calls, as `deliveries.redeliverMatching`: what was given up at `since` or later gets a new round of attempts, oldest first. */
    redeliverExhausted: Mutation<z.input<typeof models.RedeliverExhausted>, models.RedeliveredExhausted>;
  };
  receivers: {
    /** Reports for each callback host, over all accounts, how the attempts of the last 24 hours ended, how much waits for it and how much was given up, what it answered last, and whether it is paused, and until when. Those for which the most was given up come first, then those that are paused. */
    list: Query<z.input<typeof models.ListReceivers>, models.ReceiverList>;
    /** Use it when a receiver is back. Sends the first delivery that waits for it at once, even if the receiver is paused or the next attempt is hours away. If the receiver accepts it, all due deliveries follow. A delivery that is in progress is not sent twice. */
    tryNow: Mutation<z.input<typeof models.TryReceiver>, models.TriedReceiver>;
  };
  events: {
    /** Use it to catch up after an outage: pass the id of the last event that you have as `after`. Returns the events of the last 30 days with their deliveries; with scope `operate`, of every account. A reader that follows `after` misses none. */
    list: Query<z.input<typeof models.ListEvents>, models.EventList>;
  };
  endpoints: {
    /** Creates an address that events of the given types are posted to, from now on, and returns the secret that signs them. An account has five at most. An operator’s endpoint gets the events of every account. Not retried. */
    create: Mutation<z.input<typeof models.CreateEndpoint>, models.CreatedEndpoint>;
    /** Returns the endpoints of the account, without their secrets. */
    list: Query<void, models.EndpointList>;
    /** Returns one endpoint of the account, without its secret. 404 `not_found`. */
    get: Query<{ endpoint_id: string }, models.Endpoint>;
    /** Changes the types, or disables and enables the endpoint. If its `made_by` has ended, the caller takes it over. `endpoints.recover` posts what it missed. To change the address, create another and end this one. 404 `not_found`. */
    update: Mutation<{ endpoint_id: string } & z.input<typeof models.UpdateEndpoint>, models.Endpoint>;
    /** Posts the events that the endpoint missed while it was disabled or its account was suspended, or all that it did not take `since` a time, oldest first, 10,000 a call. Repeat it while `missed_count` is not 0. A disabled endpoint answers 404. 404 `not_found`. */
    recover: Mutation<{ endpoint_id: string } & z.input<typeof models.RecoverEndpoint>, models.RecoveredEndpoint>;
    /** Ends the endpoint for good: nothing more is posted to it, also not what is still due. 404 `not_found`. */
    end: Mutation<{ endpoint_id: string }, models.Endpoint>;
    /** Creates a new secret for the endpoint and returns it. For 24 hours its events carry signatures of both; until then another rotation returns 429. 404 `not_found`, 429 `rate_limited`. Not retried. */
    rotate: Mutation<{ endpoint_id: string }, models.WebhookSecret>;
    /** Posts an event `endpoint.test` to the endpoint now, whatever its types. `events.list` with the endpoint as `subject` shows how it ended. A disabled endpoint answers 404. 404 `not_found`. Not retried. */
    test: Mutation<{ endpoint_id: string }, models.TestedEndpoint>;
  };
  verificationOutput: {
    /** Submits the result of a verification. Every valid body returns 200. A result that is certainly right is applied and delivered; any other is held for an operator and not delivered. Only a key with scope `verify` gets the outcome. 429 `held_capacity_exceeded`. */
    submit: Mutation<z.input<models.Schemas<P>['ResponseModel']>, models.OutputReceipt>;
  };
  heldOutputs: {
    /** Returns a page of the outputs that wait for an operator: from an untrusted sender, about an unknown request, about a different patient, or a second result that differs. They are kept for 30 days. */
    list: Query<z.input<typeof models.ListHeldOutputs>, models.HeldOutputList>;
    /** Counts the outputs that wait for an operator, up to 10,000, and returns when the oldest was received. */
    stats: Query<void, models.HeldStats>;
    /** Returns a held output as it was received, with the reason, so that an operator can apply or dismiss it. 404 `not_found`. */
    get: Query<{ held_id: string }, models.HeldOutputDetail<P>>;
    /** Compares a held output with the request that it names, or that the query names, and with its current result: the rules that it fails, how each value differs, and who gets a webhook if it is applied. A settled output is compared with the result that the request had when it was settled. 404 `not_found`, 410 `request_erased`. */
    compare: Query<{ held_id: string } & z.input<typeof models.CompareHeldOutput>, models.HeldComparison<P>>;
    /** Makes the held output the result of its request, or of the request in the body. If the request has a result, it becomes the next version, delivered as a new message. 404 `not_found`, 409 `held_output_settled`, 409 `held_output_not_applicable`, 410 `request_erased`. Not retried. */
    apply: Mutation<{ held_id: string } & z.input<typeof models.ApplyHeldOutput>, models.OutputReceipt>;
    /** Settles a held output without applying it. Nothing is delivered. 404 `not_found`, 409 `held_output_settled`. Not retried. */
    dismiss: Mutation<{ held_id: string } & z.input<typeof models.DismissHeldOutput>, models.DismissReceipt>;
    /** Dismisses the outputs held for one reason, oldest first, for example after a flood of unwanted outputs. Repeat the call while it returns `more`. Not retried. */
    dismissMany: Mutation<z.input<typeof models.DismissHeldOutputs>, models.DismissedHeldOutputs>;
  };
  knownAnswers: {
    /** Creates a request that verifiers, agents and the X12 channel work on like any other, and keeps its right answer for `knownAnswers.report`. Send `Service-Date` and `Needed-By` as your clinics do: verifiers see them. It is of the account `Known answers`: its result is not delivered, it writes no event, and no other account has it in its lists, counts or limits. Not retried. */
    create: Mutation<z.input<models.Schemas<P>['SeedKnownAnswer']>, models.SeededRequest>;
    /** Returns a page of the requests whose answer is known, each with that answer. Pass `next_cursor` to get the next page; it is null on the last. */
    list: Query<z.input<typeof models.ListPage>, models.SeededRequestList>;
    /** Compares the answers to seeded requests with the right ones, field by field, and reports by verifier, channel and field how many are right and wrong, with an interval. Of several coverages it takes the one that agrees most. A verifier’s correction within ten minutes counts in the place of what it corrects. A request that could not be verified is unanswered, not wrong. An output that was held counts as what its verifier submitted, for the 30 days that it is kept. */
    report: Query<z.input<typeof models.AccuracyQuery>, models.AccuracyReport>;
  };
  keys: {
    /** Creates a key for an account. The key is shown only once; store it as a secret. Two live keys let a client change from one to the other without a gap. Not retried. */
    create: Mutation<z.input<typeof models.CreateApiKey>, models.CreatedApiKey>;
    /** Returns a page of the keys of all accounts, revoked and expired ones included. With `creator=left` it lists live keys that were created by a person who has left. It never returns a key’s text. */
    list: Query<z.input<typeof models.ListKeys>, models.ApiKeyList>;
    /** Revokes a key for good: at once in the process that handles the call, within a second in all others. Its leases go back, and its call-backs are open to every verifier. The endpoints that it made are paused until somebody of the account enables them; with a `successor` they continue without a gap. Revoking it again changes nothing, except that a successor takes over what was paused. 404 `not_found`. */
    revoke: Mutation<{ key_id: string } & z.input<typeof models.RevokeApiKey>, models.RevokedApiKey>;
  };
  accounts: {
    /** Creates an account, which owns requests and keys. An account of kind `provider` posts requests; one of kind `platform` may also have keys for verifiers and operators. In an account of mode `test`, reserved member ids reach an outcome on their own, and no live verifier sees a request. Not retried. */
    create: Mutation<z.input<typeof models.CreateAccount>, models.Account>;
    /** Returns a page of all accounts. Pass `next_cursor` to get the next page; it is null on the last. */
    list: Query<z.input<typeof models.ListPage>, models.AccountList>;
    /** Returns what each policy allows the account, whether that is its own limit or the default, and the networks that its keys work from. 404 `not_found`. */
    limits: Query<{ account_id: string }, models.AccountLimits>;
    /** Sets quotas of an account and the networks that its keys work from. Members that you leave out keep their values; null restores the default. Networks that would lock out the key that makes the call are refused. 404 `not_found`, 409 `locks_caller_out`. */
    setLimits: Mutation<{ account_id: string } & z.input<typeof models.SetAccountLimits>, models.AccountLimits>;
    /** Returns after how many days the data of a finished request is erased, who changed that, and how many requests the days in the query would erase, counted up to 10,000. Call it before you shorten the retention. 404 `not_found`. */
    retention: Query<{ account_id: string } & z.input<typeof models.AskAccountRetention>, models.AccountRetention>;
    /** Sets after how many days the data of a finished request is erased, counted from the end of its delivery; null keeps it. A longer retention takes effect at once. A shorter one only becomes a request, in `asked`: a different person must confirm it within 7 days (`accounts.confirmRetention`), and setting any retention, the present one included, withdraws it. Ids, times, outcomes and the access log are kept. 404 `not_found`. */
    setRetention: Mutation<{ account_id: string } & z.input<typeof models.SetAccountRetention>, models.AccountRetention>;
    /** Shortens an account’s retention to the days requested with `accounts.setRetention`; the body must name the same days. A different person must confirm it: not the one who requested it, nor one whom they added or signed in by a link. On an installation with a single active person, that person may confirm, and the audit records it. Nothing is erased for a day, during which you can undo it. Confirming it again returns the same answer. 404 `not_found`, 409 `another_person_required`. */
    confirmRetention: Mutation<{ account_id: string } & z.input<typeof models.ConfirmRetention>, models.AccountRetention>;
    /** Suspends an account: all its keys get 403 `account_suspended`. Requests that it made before are still verified and delivered. Leases of its keys and people go back, their call-backs are open to every verifier, and its endpoints rest until it is resumed. A key cannot suspend its own account. 404 `not_found`, 409 `locks_caller_out`. */
    suspend: Mutation<{ account_id: string }, models.Account>;
    /** Lets the keys of a suspended account work again, and its endpoints get the events that happen from now on; `endpoints.recover` posts those that they missed. Changes nothing if the account is not suspended. 404 `not_found`. */
    resume: Mutation<{ account_id: string }, models.Account>;
  };
  erasures: {
    /** Returns a page of the erasures that wait for confirmation and those that are done, with their certificates. Pass `next_cursor` to get the next page; it is null on the last. */
    list: Query<z.input<typeof models.ListPage>, models.ErasureList>;
    /** Erases the request at once and returns the certificate, which is in the audit too: what was erased, who requested and who confirmed it, and which copies remain. A different person must confirm it, with the last four characters of the member id. On an installation with a single active person, that person may confirm, and the certificate records it. Confirming it again returns the same answer. After five wrong endings the erasure must be requested again. 404 `not_found`, 409 `legal_hold`, 409 `another_person_required`, 410 `request_erased`. */
    confirm: Mutation<{ erasure_id: string } & z.input<typeof models.ConfirmErasure>, models.Erasure>;
  };
  holds: {
    /** Returns a page of legal holds, ended ones included, with what each covers, the reason, who placed it and when. Pass `next_cursor` to get the next page; it is null on the last. */
    list: Query<z.input<typeof models.ListPage>, models.LegalHoldList>;
    /** Keeps everything of one request, or of all requests of an account, until the hold ends. Neither the end of a retention nor a requested erasure deletes it (409 `legal_hold`, with the hold’s id), and its evidence does not expire. 404 `not_found`, 410 `request_erased`. Not retried. */
    place: Mutation<z.input<typeof models.PlaceHold>, models.LegalHold>;
    /** Ends a hold. Data that it kept is erased again by the usual rules if no other hold covers it; what is past its retention goes within a day. Ending it again changes nothing. 404 `not_found`. */
    end: Mutation<{ hold_id: string }, models.LegalHold>;
  };
  staff: {
    /** Adds a person who signs in to the console and returns their first link: it works once, within 30 minutes; as an invitation to make a passkey within 72 hours, to the identity provider within a week. In an account, a `viewer` reads its requests and a `requester` creates them. All other roles act on every account and need the platform account. Not retried. */
    add: Mutation<z.input<typeof models.AddStaff>, models.AddedStaff>;
    /** Returns a page of the people who sign in to the console, including those who have left. */
    list: Query<z.input<typeof models.ListPage>, models.StaffList>;
    /** Replaces the roles of a person, and their bounds if the body names any: networks, and limits on a verifier’s work. The change takes effect with the next call, in every session. You cannot remove your own `admin`, and you cannot extend your own access while another administrator is available. 404 `not_found`, 409 `locks_caller_out`, 409 `another_admin_required`. */
    setRoles: Mutation<{ staff_id: string } & z.input<typeof models.SetStaffRoles>, models.StaffMember>;
    /** Creates a link that signs the person in once, within 30 minutes. Where people sign in with passkeys, it is an invitation to make one, for 72 hours; with an identity provider, an invitation to sign in there, for a week. Its secret is only in this answer; the service stores a keyed hash. Earlier links keep their time. 404 `not_found`. Not retried. */
    link: Mutation<{ staff_id: string }, models.StaffLink>;
    /** Ends a person’s access for good, with all their sessions and unused links, in every process at once. Their leases go back, and their call-backs are open to every verifier. The endpoints that they made are paused until somebody of the account enables them; with a `successor` they continue without a gap. The audit keeps their name. You cannot end your own access. 404 `not_found`, 409 `locks_caller_out`. */
    end: Mutation<{ staff_id: string } & z.input<typeof models.EndStaff>, models.EndedStaffMember>;
  };
  sessions: {
    /** Returns who the caller is, what it may do and, for a person who is signed in, when the session ends. */
    me: Query<void, models.Myself>;
    /** Returns a page of active sessions: all with `admin`, otherwise the caller’s own. A key has none. */
    list: Query<z.input<typeof models.ListPage>, models.StaffSessionList>;
    /** Ends one of the caller’s own sessions, or any session with `admin`, at once in every process. 404 `not_found`. */
    end: Mutation<{ session_id: string }, models.EndedSession>;
    /** Grants an operator’s session emergency access for an hour: the operator may then do a verifier’s work on any account. A person grants it to their own session, signed in within 15 minutes, or with the session they have while the identity provider is down. A key grants it to any operator’s session. The reason is kept; the log, the metrics and the audit record it. 404 `not_found`. Not retried. */
    breakGlass: Mutation<{ session_id: string } & z.input<typeof models.BreakGlass>, models.EmergencyAccess>;
    /** Returns a page of the accounts that the signed-in person may act for: their own, or every active account for a person of the platform. Operators and auditors use it to choose whose rows to see. The header `Account-Id` of a call names one of them; without it a person of the platform acts for `default`. */
    accounts: Query<z.input<typeof models.FindAccounts>, models.AccountList>;
  };
  passkeys: {
    /** Lists the passkeys of the caller, or with `admin` those of another person, newest first; a person has at most 20. */
    list: Query<z.input<typeof models.FindPasskeys>, models.PasskeyList>;
    /** Returns the options with which a browser creates a passkey for the signed-in person: discoverable, with user verification. Send the token back within five minutes (`passkeys.add`). 409 `passkeys_need_name`. */
    begin: Mutation<void, models.BegunPasskey>;
    /** Registers the passkey that a browser created with the options of `passkeys.begin`. It then signs its person in; where an identity provider decides who has access, only within 12 hours of each sign-in there. 409 `passkeys_need_name`. Not retried. */
    add: Mutation<z.input<typeof models.AddPasskey>, models.Passkey>;
    /** Removes one of the caller’s passkeys, or with `admin` one of another person, who has lost it: it can no longer be used to sign in. Sessions that it began continue until they end, or are ended. 404 `not_found`. Not retried. */
    end: Mutation<{ passkey_id: string }, models.EndedPasskey>;
  };
  settings: {
    /** Returns the caller’s settings of the console: zone, density and whether keys of one letter work. They apply in every browser. */
    get: Query<void, models.Settings>;
    /** Changes the caller’s settings of the console, in every browser. Members that you leave out keep their values. */
    set: Mutation<z.input<typeof models.SetSettings>, models.Settings>;
  };
  audit: {
    /** Returns a page of who did or saw what, and when. Every read of a patient’s data has a line; a person’s page that is read again within 15 minutes has one only for requests that it had not shown. A list is one line: `request_id` finds it by each request in it. With filters that few lines match, a page before the last may be short or empty: `next_cursor` is null on the last page only. */
    list: Query<z.input<typeof models.ListAudit>, models.AuditList>;
    /** Returns the lines of `audit.list` as the lines of a file, NDJSON or CSV. The file is the `items` of all parts in order; continue while there is a `next_cursor`. `iv audit export` writes the file. */
    export: Query<z.input<typeof models.ExportAudit>, models.AuditExport>;
    /** Returns a page of seals, newest first: each signs the lines of its range. It includes the public keys that verify them and what is not sealed yet. A test account’s key gets none. */
    seals: Query<z.input<typeof models.ListSeals>, models.AuditSealList>;
    /** Reads the lines of the next seals, some 50,000, and compares them with what was signed. Repeat it with `next_cursor` until that is null. The service compares; `iv audit verify` does not rely on the service. A test account’s key has nothing to verify. */
    verify: Query<z.input<typeof models.VerifyAudit>, models.AuditVerification>;
  };
  reports: {
    /** Reports how many X12 inquiries each payer got in a month and how fast it answered, as the CORE operating rules require. */
    responseTimes: Query<z.input<typeof models.ReportMonth>, models.ResponseTimesReport>;
    /** Reports for each payer how many inquiries it got in a month, how many codes they asked for, how many it answered and how many it rejected, and which setting of its `inquiry` does not fit. 404 `not_found`. */
    askedCodes: Query<z.input<typeof models.AskedCodesQuery>, models.AskedCodesReport>;
    /** Reports by the hour or the day, of the caller’s own account or for operators of all; `of` says what. Each event counts in the step in which it happened. Counts are exact; quantiles are within 4.5 % of the exact ones. `held` needs the scope `operate`. 404 `not_found`. */
    get: Query<z.input<typeof models.ReportQuery>, models.Report>;
  };
  webhookSecret: {
    /** Returns the secret that signs the account's webhooks (Standard Webhooks), and the previous one while it still signs too. */
    get: Query<void, models.WebhookSecret>;
    /** Creates a new secret. For 24 hours webhooks carry signatures of both. At most nine old secrets are kept within a day; more rotations return 429. 429 `rate_limited`. Not retried. */
    rotate: Mutation<void, models.WebhookSecret>;
  };
}

/** The REST route of each operation. */
export const ROUTES = {
  'requests.create': { method: 'POST', path: '/requests/', repeatable: true, takesIdempotencyKey: true, takesAskedWhen: true },
  'requests.list': { method: 'GET', path: '/requests/', repeatable: true },
  'requests.search': { method: 'POST', path: '/requests/search', repeatable: true },
  'requests.stats': { method: 'GET', path: '/requests/stats', repeatable: true, takesNoInput: true },
  'requests.get': { method: 'GET', path: '/requests/{request_id}', repeatable: true },
  'requests.close': { method: 'POST', path: '/requests/{request_id}/close', repeatable: false },
  'requests.view': { method: 'GET', path: '/requests/{request_id}/view', repeatable: true },
  'requests.reveal': { method: 'POST', path: '/requests/{request_id}/reveal', repeatable: true },
  'requests.erase': { method: 'POST', path: '/requests/{request_id}/erase', repeatable: true },
  'requests.readers': { method: 'GET', path: '/requests/{request_id}/readers', repeatable: true },
  'requests.result': { method: 'GET', path: '/requests/{request_id}/result', repeatable: true },
  'requests.benefits': { method: 'GET', path: '/requests/{request_id}/benefits', repeatable: true },
  'requests.deliveries': { method: 'GET', path: '/requests/{request_id}/deliveries', repeatable: true },
  'requests.redeliver': { method: 'POST', path: '/requests/{request_id}/redeliver', repeatable: true },
  'requests.attempts': { method: 'GET', path: '/requests/{request_id}/attempts', repeatable: true },
  'requests.exchanges': { method: 'GET', path: '/requests/{request_id}/exchanges', repeatable: true },
  'requests.proof': { method: 'GET', path: '/requests/{request_id}/proof', repeatable: true },
  'batches.create': { method: 'POST', path: '/batches', repeatable: true, takesIdempotencyKey: true, takesRows: true },
  'batches.list': { method: 'GET', path: '/batches', repeatable: true },
  'batches.template': { method: 'GET', path: '/batches/template', repeatable: true, takesNoInput: true },
  'batches.get': { method: 'GET', path: '/batches/{batch_id}', repeatable: true },
  'batches.errors': { method: 'GET', path: '/batches/{batch_id}/errors', repeatable: true, answersLines: true },
  'batches.results': { method: 'GET', path: '/batches/{batch_id}/results', repeatable: true, answersLines: true },
  'batches.cancel': { method: 'POST', path: '/batches/{batch_id}/cancel', repeatable: true },
  'payers.list': { method: 'GET', path: '/payers', repeatable: true, takesNoInput: true },
  'payers.resolve': { method: 'GET', path: '/payers/resolve', repeatable: true },
  'demo.play': { method: 'POST', path: '/demo/play', repeatable: false, takesNoInput: true },
  'demo.playDay': { method: 'POST', path: '/demo/day', repeatable: false, takesNoInput: true },
  'demo.clearDay': { method: 'POST', path: '/demo/day/clear', repeatable: true, takesNoInput: true },
  'work.claim': { method: 'POST', path: '/work/claim', repeatable: false },
  'work.claimRequest': { method: 'POST', path: '/work/{request_id}/claim', repeatable: false },
  'work.heartbeat': { method: 'POST', path: '/work/{request_id}/heartbeat', repeatable: true },
  'work.startCall': { method: 'POST', path: '/work/{request_id}/start-call', repeatable: true },
  'work.endCall': { method: 'POST', path: '/work/{request_id}/end-call', repeatable: true },
  'work.release': { method: 'POST', path: '/work/{request_id}/release', repeatable: false },
  'work.fail': { method: 'POST', path: '/work/{request_id}/fail', repeatable: true },
  'work.submit': { method: 'POST', path: '/work/{request_id}/submit', repeatable: false },
  'work.correct': { method: 'POST', path: '/work/{request_id}/correct', repeatable: true },
  'work.takeBack': { method: 'POST', path: '/work/{request_id}/take-back', repeatable: false },
  'work.callBack': { method: 'POST', path: '/work/{request_id}/call-back', repeatable: false },
  'work.callBacks': { method: 'GET', path: '/work/call-backs', repeatable: true, takesNoInput: true },
  'work.stats': { method: 'GET', path: '/work/stats', repeatable: true },
  'work.payers': { method: 'GET', path: '/work/payers', repeatable: true, takesNoInput: true },
  'work.day': { method: 'GET', path: '/work/day', repeatable: true },
  'work.done': { method: 'GET', path: '/work/done', repeatable: true },
  'drafts.list': { method: 'GET', path: '/drafts', repeatable: true },
  'drafts.get': { method: 'GET', path: '/work/{request_id}/draft', repeatable: true },
  'drafts.save': { method: 'POST', path: '/work/{request_id}/draft', repeatable: true },
  'drafts.discard': { method: 'POST', path: '/work/{request_id}/draft/discard', repeatable: true },
  'deliveries.list': { method: 'GET', path: '/deliveries', repeatable: true },
  'deliveries.get': { method: 'GET', path: '/deliveries/{delivery_id}', repeatable: true },
  'deliveries.redeliverMatching': { method: 'POST', path: '/deliveries/redeliver', repeatable: true },
  'deliveries.redeliverExhausted': { method: 'POST', path: '/deliveries/redeliver-exhausted', repeatable: true },
  'receivers.list': { method: 'GET', path: '/receivers', repeatable: true },
  'receivers.tryNow': { method: 'POST', path: '/receivers/try', repeatable: true },
  'events.list': { method: 'GET', path: '/events', repeatable: true },
  'endpoints.create': { method: 'POST', path: '/endpoints', repeatable: false },
  'endpoints.list': { method: 'GET', path: '/endpoints', repeatable: true, takesNoInput: true },
  'endpoints.get': { method: 'GET', path: '/endpoints/{endpoint_id}', repeatable: true },
  'endpoints.update': { method: 'POST', path: '/endpoints/{endpoint_id}', repeatable: true },
  'endpoints.recover': { method: 'POST', path: '/endpoints/{endpoint_id}/recover', repeatable: true },
  'endpoints.end': { method: 'POST', path: '/endpoints/{endpoint_id}/end', repeatable: true },
  'endpoints.rotate': { method: 'POST', path: '/endpoints/{endpoint_id}/rotate', repeatable: false },
  'endpoints.test': { method: 'POST', path: '/endpoints/{endpoint_id}/test', repeatable: false },
  'verificationOutput.submit': { method: 'POST', path: '/verification-output', repeatable: true },
  'heldOutputs.list': { method: 'GET', path: '/held-outputs', repeatable: true },
  'heldOutputs.stats': { method: 'GET', path: '/held-outputs/stats', repeatable: true, takesNoInput: true },
  'heldOutputs.get': { method: 'GET', path: '/held-outputs/{held_id}', repeatable: true },
  'heldOutputs.compare': { method: 'GET', path: '/held-outputs/{held_id}/comparison', repeatable: true },
  'heldOutputs.apply': { method: 'POST', path: '/held-outputs/{held_id}/apply', repeatable: false },
  'heldOutputs.dismiss': { method: 'POST', path: '/held-outputs/{held_id}/dismiss', repeatable: false },
  'heldOutputs.dismissMany': { method: 'POST', path: '/held-outputs/dismiss', repeatable: false },
  'knownAnswers.create': { method: 'POST', path: '/known-answers', repeatable: false, takesAskedWhen: true },
  'knownAnswers.list': { method: 'GET', path: '/known-answers', repeatable: true },
  'knownAnswers.report': { method: 'GET', path: '/known-answers/report', repeatable: true },
  'keys.create': { method: 'POST', path: '/keys', repeatable: false },
  'keys.list': { method: 'GET', path: '/keys', repeatable: true },
  'keys.revoke': { method: 'POST', path: '/keys/{key_id}/revoke', repeatable: true },
  'accounts.create': { method: 'POST', path: '/accounts', repeatable: false },
  'accounts.list': { method: 'GET', path: '/accounts', repeatable: true },
  'accounts.limits': { method: 'GET', path: '/accounts/{account_id}/limits', repeatable: true },
  'accounts.setLimits': { method: 'POST', path: '/accounts/{account_id}/limits', repeatable: true },
  'accounts.retention': { method: 'GET', path: '/accounts/{account_id}/retention', repeatable: true },
  'accounts.setRetention': { method: 'POST', path: '/accounts/{account_id}/retention', repeatable: true },
  'accounts.confirmRetention': { method: 'POST', path: '/accounts/{account_id}/retention/confirm', repeatable: true },
  'accounts.suspend': { method: 'POST', path: '/accounts/{account_id}/suspend', repeatable: true },
  'accounts.resume': { method: 'POST', path: '/accounts/{account_id}/resume', repeatable: true },
  'erasures.list': { method: 'GET', path: '/erasures', repeatable: true },
  'erasures.confirm': { method: 'POST', path: '/erasures/{erasure_id}/confirm', repeatable: true },
  'holds.list': { method: 'GET', path: '/holds', repeatable: true },
  'holds.place': { method: 'POST', path: '/holds', repeatable: false },
  'holds.end': { method: 'POST', path: '/holds/{hold_id}/end', repeatable: true },
  'staff.add': { method: 'POST', path: '/staff', repeatable: false },
  'staff.list': { method: 'GET', path: '/staff', repeatable: true },
  'staff.setRoles': { method: 'POST', path: '/staff/{staff_id}/roles', repeatable: true },
  'staff.link': { method: 'POST', path: '/staff/{staff_id}/link', repeatable: false },
  'staff.end': { method: 'POST', path: '/staff/{staff_id}/end', repeatable: true },
  'sessions.me': { method: 'GET', path: '/sessions/me', repeatable: true, takesNoInput: true },
  'sessions.list': { method: 'GET', path: '/sessions', repeatable: true },
  'sessions.end': { method: 'POST', path: '/sessions/{session_id}/end', repeatable: true },
  'sessions.breakGlass': { method: 'POST', path: '/sessions/{session_id}/break-glass', repeatable: false },
  'sessions.accounts': { method: 'GET', path: '/sessions/accounts', repeatable: true },
  'passkeys.list': { method: 'GET', path: '/passkeys', repeatable: true },
  'passkeys.begin': { method: 'POST', path: '/passkeys/begin', repeatable: true, takesNoInput: true },
  'passkeys.add': { method: 'POST', path: '/passkeys', repeatable: false },
  'passkeys.end': { method: 'POST', path: '/passkeys/{passkey_id}/end', repeatable: false },
  'settings.get': { method: 'GET', path: '/settings', repeatable: true, takesNoInput: true },
  'settings.set': { method: 'POST', path: '/settings', repeatable: true },
  'audit.list': { method: 'GET', path: '/audit', repeatable: true },
  'audit.export': { method: 'GET', path: '/audit/export', repeatable: true },
  'audit.seals': { method: 'GET', path: '/audit/seals', repeatable: true },
  'audit.verify': { method: 'GET', path: '/audit/verification', repeatable: true },
  'reports.responseTimes': { method: 'GET', path: '/reports/response-times', repeatable: true },
  'reports.askedCodes': { method: 'GET', path: '/reports/asked-codes', repeatable: true },
  'reports.get': { method: 'GET', path: '/reports', repeatable: true },
  'webhookSecret.get': { method: 'GET', path: '/webhook-secret', repeatable: true, takesNoInput: true },
  'webhookSecret.rotate': { method: 'POST', path: '/webhook-secret/rotate', repeatable: false, takesNoInput: true },
} as const satisfies Readonly<Record<string, Route>>;

/** The name of an operation: `requests.create`. */
export type OperationName = keyof typeof ROUTES;
