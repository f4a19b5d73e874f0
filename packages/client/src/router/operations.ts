// Made from the service's router by `npx -y pnpm@12 openapi`; change it there.
import type * as models from '@insurance-verification/schema';
import type * as z from 'zod';
import type { Mutation, Query, Route } from './procedure.ts';

/** What each operation takes and answers. */
export interface Operations<P extends models.PayerNames> {
  requests: {
    /** Takes in a request to verify a patient's eligibility, and answers when it is stored. The result is posted to `callback_url` later, signed. With an `Idempotency-Key` a retry gets the first answer again and makes no second request. `Service-Date` is the day to ask the payer about, `Needed-By` when the result is needed: of an account's requests the earliest is worked on first. A request takes 128 KiB at most, as JSON without white space whose characters beyond ASCII are escaped (`\u00e9`): a larger one is a 413. Unknown members are ignored; a test account finds their names in `Ignored-Members`, and in `Doubtful-Members` which values cannot be right. In a test account these member ids come to an outcome by themselves: `TEST-ACTIVE`, `TEST-INACTIVE`, `TEST-SEVERAL`, `TEST-SLOW`, `TEST-NEVER`, `TEST-CORRECTED`, `TEST-MEMBER-ID-CHANGED`, `TEST-BENEFITS-MEDICAL`, `TEST-BENEFITS-DENTAL`, `TEST-BENEFITS-MEDICARE`, and `TEST-` with the slug of an error reason, as `TEST-MEMBER-NOT-FOUND`. 409 `idempotency_in_progress`, 410 `request_erased`. */
    create: Mutation<z.input<models.Schemas<P>['RequestInfo']>, models.RequestModel<P>>;
    /** Pages through the requests of the key's account, of one `state` where that is given. Ask for the next page with the `next_cursor` of the one before; null on the last page. Requests whose data was erased, at the end of the account's retention, are in `erased`. */
    list: Query<z.input<typeof models.ListRequests>, models.RequestList<P>>;
    /** Finds requests that match every given criterion: by `request_id`, by the `idempotency_key` that they were created with (remembered for 24 hours at least), by the whole `subscriber_id`, by the `npi` of the provider, or by how they stand. It is a POST because a member id must not stand in an address. Operators search every account, others their own. Of a patient it has the initials; each request found is in the access log. A page may be short before the last, where few requests meet the criteria or their data is large. */
    search: Mutation<z.input<typeof models.SearchRequests>, models.RequestSummaryList>;
    /** Counts, up to 10,000 each, the requests without a result although the time at which they are needed is past, and the deliveries that were given up. With scope `operate` those of every account. */
    stats: Query<void, models.RequestStats>;
    /** Returns the current state of a request. `complete` shows as soon as its result is accepted and does not wait for the callback address; `error_reason` says why where the state is an error. With `verify` it reads what the caller leases, or worked on within a day. 404 `not_found`, 410 `request_erased`. */
    get: Query<{ request_id: string }, models.RequestModel<P>>;
    /** Gives the latest result of a request, as its webhook has it, with the state that the request has now. Before there is a result the answer is 404 `result_not_ready`. 404 `not_found`, 404 `result_not_ready`, 410 `request_erased`. */
    result: Query<{ request_id: string }, models.ResponseModel<P>>;
    /** Returns everything that the payer said of the patient in addition to the result: co-payments, deductibles and what is left of them, limits, authorizations, other payers. Nothing is left out. `summary` has what a desk asks for first, where the rows leave exactly one reading. A result that came without benefits answers with empty lists. Before there is a result the answer is 404 `result_not_ready`. 404 `not_found`, 404 `result_not_ready`, 410 `request_erased`. */
    benefits: Query<{ request_id: string } & z.input<typeof models.GetBenefits>, models.RequestBenefits>;
    /** Tells how the results of a request come to its callback address: a delivery for each version, with every attempt, how it ended and the start of what the receiver answered. This is where to look when a webhook does not arrive. 404 `not_found`. */
    deliveries: Query<{ request_id: string }, models.DeliveryList>;
    /** Starts a new round of attempts of the latest result: the same message, with the same `webhook-id` and the same bytes. While attempts are still due nothing changes. 404 `not_found`, 409 `no_result`, 410 `request_erased`. */
    redeliver: Mutation<{ request_id: string }, models.RequestModel<P>>;
    /** Ends a request that has no outcome yet: as `error_verifying` with the given reason, delivered to its callback address like any result. `withdrawn` is the reason where the provider no longer wants to know. 404 `not_found`, 409 `request_finished`, 410 `request_erased`. Not retried. */
    close: Mutation<{ request_id: string } & z.input<typeof models.CloseRequest>, models.RequestModel<P>>;
    /** Lists who tried to verify, through which channel, how it ended and what supports the result. Operators and verifiers also see the internal notes. 404 `not_found`, 410 `request_erased`. */
    attempts: Query<{ request_id: string }, models.VerificationAttemptList>;
    /** Lists the X12 inquiries (270) that were sent to the payer about a request, and what came back, as they were on the wire: the evidence for a dispute with a payer. The account that asked gets the X12 of an answer; anything else, such as a page of a gateway, is for operators. 404 `not_found`, 410 `request_erased`. */
    exchanges: Query<{ request_id: string }, models.X12ExchangeList>;
    /** Gives in one answer what proves that eligibility was verified: who was asked, about which day, by whom, when and over which channel, what was answered, when the receiver took it, the SHA-256 of the body of its webhook, and the seal over the audit’s entry of it. Callers who look after requests of others get it without the patient and the benefits: `requests.reveal` and `requests.benefits` show these. Before there is a result the answer is 404 `result_not_ready`. 404 `not_found`, 404 `result_not_ready`, 410 `request_erased`. */
    proof: Query<{ request_id: string }, models.VerificationProof<P>>;
    /** Returns in one answer the state of a request, its attempts, results, deliveries, the outputs of it that were held, and what was found. Callers who may post requests of its account also get the request with the patient and the result, `revealed`; to all others, who look after it, that is null until they ask for it with `requests.reveal`. What a held output says is not told here; who sent and settled it, to operators alone. 404 `not_found`. */
    view: Query<{ request_id: string }, models.RequestView<P>>;
    /** Gives what `requests.view` keeps back from callers who look after requests of others: the request with the patient, and the result. Each call is in the access log under its own name. Before there is a result `insurance_data` is empty. 404 `not_found`, 410 `request_erased`. */
    reveal: Mutation<{ request_id: string }, models.ResponseModel<P>>;
    /** Puts into the access log that something of the patient was copied out of a page about the request; pages call it with each copy. With `verify` it takes what the caller leases, or worked on within a day. 404 `not_found`. */
    noteCopy: Mutation<{ request_id: string }, models.NotedCopy>;
    /** Asks that the data of one request is erased now, finished or not: as at the end of a retention, of everything that the service has of it. A person confirms it within 7 days, another one than who asked (`erasures.confirm`); until then nothing is erased. Asked for again it stays as it is, also when it is done. 404 `not_found`, 409 `legal_hold`, 410 `request_erased`. */
    erase: Mutation<{ request_id: string } & z.input<typeof models.EraseRequest>, models.Erasure>;
    /** Tells from the access log who did what with a request, and how often: each caller and operation once, the latest first, from the newest 10,000 lines. For operators, who may read the request itself, and auditors. Reading it is in the access log as well. 404 `not_found`. */
    readers: Query<{ request_id: string }, models.RequestReaderList>;
  };
  payers: {
    /** Lists the four payers that requests may name, with their ids. */
    list: Query<void, models.PayerList>;
  };
  demo: {
    /** Makes a request in the oldest test account: of a member that the sandbox answers for, with a callback address of the service’s own, which checks the signature of what comes. Nothing of it reaches a payer or a live account. 404 anywhere but on a machine of one’s own, and where no test account is. 404 `not_found`. Not retried. */
    play: Mutation<void, models.RequestModel<P>>;
    /** Makes three clinics with some forty requests in every state: answered with benefits, could not be verified, waiting, overdue, on the phone, held, given up. They are test accounts: nothing reaches a payer or a live account. A second one replaces the first. 404 anywhere but on a machine of one’s own. 404 `not_found`. Not retried. */
    playDay: Mutation<void, models.DemoDay>;
    /** Deletes the test accounts of the demo day with everything of theirs. The audit keeps its entries. 404 anywhere but on a machine of one’s own. 404 `not_found`. */
    clearDay: Mutation<void, models.ClearedDemoDay>;
  };
  work: {
    /** Leases the next requests that wait in one of the channels, so that only the caller works on them. With `wait_seconds` the call waits for work to come. An empty list says that there is nothing to do. A lease ends at `lease_expires_at` unless a heartbeat renews it. Not retried. */
    claim: Mutation<z.input<models.Schemas<P>['ClaimWork']>, models.WorkItemList<P>>;
    /** Leases the request that the path names, whatever waits before it. It must wait for one of the channels; one that is finished, that somebody works on, or that waits for another channel is refused. With `take_over` one that the caller itself holds gets a new token, and the attempt continues. 404 `not_found`, 409 `request_finished`, 409 `request_leased`, 409 `request_not_claimable`, 410 `request_erased`. Not retried. */
    claimRequest: Mutation<{ request_id: string } & z.input<typeof models.ClaimRequest>, models.WorkItem<P>>;
    /** Says that the verifier is still at it, and gets the time at which the lease now ends. Send one well before that time. 404 `not_found`, 409 `lease_lost`, 410 `request_erased`. */
    heartbeat: Mutation<{ request_id: string } & z.input<typeof models.HeartbeatWork>, models.RenewedLease>;
    /** Records that the verifier is on the phone with the payer: for 90 minutes the lease needs no heartbeat and a session no use, and colleagues see it. With `place` `portal` the verifier reads in the payer's portal, and it is 30 minutes. The same call again changes nothing, but that the portal's time begins again. 404 `not_found`, 409 `lease_lost`, 410 `request_erased`. */
    startCall: Mutation<{ request_id: string } & z.input<typeof models.StartCall>, models.RenewedLease>;
    /** Says that the phone call is over: the lease ends at `lease_expires_at` unless a heartbeat renews it, like any other. 404 `not_found`, 409 `lease_lost`, 410 `request_erased`. */
    endCall: Mutation<{ request_id: string } & z.input<typeof models.HeartbeatWork>, models.RenewedLease>;
    /** Ends a lease without a finding, so that somebody else can take the request at once. It costs the request no attempt. 404 `not_found`, 409 `lease_lost`, 410 `request_erased`. Not retried. */
    release: Mutation<{ request_id: string } & z.input<typeof models.ReleaseWork>, models.ReleasedWork>;
    /** Reports why this channel could not verify. The request passes to the next channel of its payer's route, or ends as `error_verifying` with the reason where none is left, none can help, or `final` is true. 404 `not_found`, 409 `lease_lost`, 410 `request_erased`. Not retried. */
    fail: Mutation<{ request_id: string } & z.input<typeof models.FailWork>, models.FailedWork>;
    /** Hands in what was found out, and ends the lease. It becomes the result of the request and is delivered; what an agent found, where the route of the payer says so, is held for an operator first. An entry about another patient, or of another channel than the leased one, is refused; one that may be about another patient is accepted when it is sent again with `same_patient_confirmed`. `benefits` has what else the payer said of these coverages, for `requests.benefits`. 404 `not_found`, 409 `lease_lost`, 410 `request_erased`, 429 `held_capacity_exceeded`. Not retried. */
    submit: Mutation<{ request_id: string } & z.input<models.Schemas<P>['SubmitWork']>, models.SubmittedWork>;
    /** Tells for each channel of each payer what waits and what is under way now, what claims of a verifier would lease, and what the last 24 hours brought. */
    stats: Query<z.input<typeof models.CountWork>, models.WorkStats<P>>;
    /** Tells for each configured payer how it is reached, by phone and portal, and what verifiers should know about it. Nothing is leased. */
    payers: Query<void, models.WorkPayerList<P>>;
    /** Counts what the caller submitted, and could not verify, by portal and phone since `since`, with the median time from taking a request to its end; and the drafts that it has. */
    day: Query<z.input<typeof models.WorkDayStart>, models.WorkDay>;
    /** Lists the requests that the caller submitted a result of, or could not verify, by portal and phone since `since`, the latest first, with how the webhook of each stands. For a day the caller may read each: `requests.get`, `requests.result`, `requests.benefits`, `requests.attempts`. */
    done: Query<z.input<typeof models.WorkDayStart>, models.DoneWorkList>;
  };
  drafts: {
    /** Lists the requests about which the caller has saved a draft, of the newest request first. What is in a draft is read one by one. */
    list: Query<z.input<typeof models.ListPage>, models.DraftList<P>>;
    /** Shows the caller's own draft about a request that it leases, or worked on within a day. Whoever holds the lease sees the latest draft of somebody else as well, and may adopt it. 404 `not_found`, 410 `request_erased`. */
    get: Query<{ request_id: string }, models.RequestDrafts>;
    /** Saves the caller's draft about a request that it leases, or worked on within a day; a lease that lapsed meanwhile does not matter. Of two that start from one revision the second is refused with `draft_changed`, and nothing is lost. A draft ends with the request's result, and seven days after it was saved last. 404 `not_found`, 409 `request_finished`, 409 `draft_changed`, 410 `request_erased`. */
    save: Mutation<{ request_id: string } & z.input<typeof models.SaveDraft>, models.SavedDraft>;
    /** Deletes the caller's draft about a request, unless it was saved since it was read (`draft_changed`). One that is gone already is answered alike. 404 `not_found`, 409 `draft_changed`. */
    discard: Mutation<{ request_id: string } & z.input<typeof models.DiscardDraft>, models.DiscardedDraft>;
    /** Makes the latest draft of somebody else the caller's own, in place of the one it has. The caller must hold the request's lease. 404 when there is none. 404 `not_found`, 409 `lease_lost`, 409 `draft_changed`, 410 `request_erased`. Not retried. */
    adopt: Mutation<{ request_id: string } & z.input<typeof models.AdoptDraft>, models.Draft>;
  };
  deliveries: {
    /** Pages through deliveries and how their last attempts ended; with scope `operate` those of every account. Times are those at which a result was accepted. With filters that few deliveries meet, a page may be short or empty before the last: only a `next_cursor` of null says that it was the last. */
    list: Query<z.input<typeof models.ListDeliveries>, models.DeliverySummaryList>;
    /** Returns the delivery of one result to its callback address: its state, when the next attempt is due, and every attempt with how it ended and the start of what the receiver answered. 404 `not_found`. */
    get: Query<{ delivery_id: string }, models.DeliveryDetail>;
    /** Two calls with the same filters. With `dry_run` it counts the deliveries that match and answers a `token`; with that token each of them that still matches gets a new round of attempts, and no other, however often it is called. With scope `operate` it covers every account. Ask and call again while the dry run says `more`. */
    redeliverMatching: Mutation<z.input<typeof models.RedeliverMatching>, models.RedeliveredMatching>;
    /** For when a receiver was down. Two calls with the same `since` and `host`: with `dry_run` it counts the results whose attempts were used up at `since` or later, and answers a `token`; with that token each of them gets a new round of attempts, the one exhausted first going first, and no other. Ask and call again while the dry run says `more`. */
    redeliverExhausted: Mutation<z.input<typeof models.RedeliverExhausted>, models.RedeliveredExhausted>;
  };
  receivers: {
    /** Reports for each callback host, over all accounts, how the attempts of the last 24 hours ended, how much waits for it and how much was given up, what it answered last, and whether it is left alone and until when. Those for which the most was given up come first. */
    list: Query<void, models.ReceiverList>;
    /** For when a receiver is back: the delivery that waits first for it is sent at once, also where it is paused or its next attempt is hours away. If it is taken, what is due follows. Nothing is sent twice that is under way. */
    tryNow: Mutation<z.input<typeof models.TryReceiver>, models.TriedReceiver>;
  };
  verificationOutput: {
    /** Hands in the result of a verification. Every body that conforms is answered 200. What is certainly right is applied and delivered; anything else is held for an operator, never sent. Only a key with scope `verify` is told what became of it. 429 `held_capacity_exceeded`. */
    submit: Mutation<z.input<models.Schemas<P>['ResponseModel']>, models.OutputReceipt>;
  };
  heldOutputs: {
    /** Pages through the outputs that wait for an operator: from a sender who is not trusted, about no request that is known, about another patient, or a second and different result. They are kept for 30 days. */
    list: Query<z.input<typeof models.ListHeldOutputs>, models.HeldOutputList>;
    /** Tells how many outputs wait for an operator, counted up to 10,000, and when the one that waits longest was received. */
    stats: Query<void, models.HeldStats>;
    /** Shows a held output as it came, and why it was held, so that an operator can apply or dismiss it. 404 `not_found`. */
    get: Query<{ held_id: string }, models.HeldOutputDetail<P>>;
    /** Shows a held output next to the request that it names, or that the query names, and its current result: which tests of the rules it does not pass, value by value what differs and how, and who gets a webhook when it is applied. A settled output is compared with the result that the request had when it was settled. 404 `not_found`, 410 `request_erased`. */
    compare: Query<{ held_id: string } & z.input<typeof models.CompareHeldOutput>, models.HeldComparison<P>>;
    /** Makes the result of a held output the result of its request, or of the request that the body names. On a request that has a result already it is the correction: the next version, delivered as a new message. 404 `not_found`, 409 `held_output_settled`, 409 `held_output_not_applicable`, 410 `request_erased`. Not retried. */
    apply: Mutation<{ held_id: string } & z.input<typeof models.ApplyHeldOutput>, models.OutputReceipt>;
    /** Settles a held output without applying it. Nothing is delivered. 404 `not_found`, 409 `held_output_settled`. Not retried. */
    dismiss: Mutation<{ held_id: string } & z.input<typeof models.DismissHeldOutput>, models.DismissReceipt>;
    /** Dismisses what is held for one reason, the oldest first, as after a flood of unwanted outputs. Call again while `more` is true. Not retried. */
    dismissMany: Mutation<z.input<typeof models.DismissHeldOutputs>, models.DismissedHeldOutputs>;
  };
  keys: {
    /** Makes a key of an account. The answer is the only one that ever holds its text: keep it where secrets are kept. Two live keys at once let a client change over without a gap. Not retried. */
    create: Mutation<z.input<typeof models.CreateApiKey>, models.CreatedApiKey>;
    /** Pages through the keys of all accounts, revoked and expired ones among them; with `creator=left` only those that still work and were made by a person who has left. No answer holds a key's text. */
    list: Query<z.input<typeof models.ListKeys>, models.ApiKeyList>;
    /** Ends a key for good: at once in the process that is asked, within a second in every other. A key that is revoked already stays so. 404 `not_found`. */
    revoke: Mutation<{ key_id: string }, models.ApiKey>;
  };
  accounts: {
    /** Makes an account, to which requests and keys belong. An account of kind `provider` posts requests; one of kind `platform` may also have keys of verifiers and operators. In an account of mode `test`, reserved member ids come to their outcome by themselves, and no live verifier sees a request. Not retried. */
    create: Mutation<z.input<typeof models.CreateAccount>, models.Account>;
    /** Pages through all accounts. Ask for the next page with the `next_cursor` of the one before; null on the last page. */
    list: Query<z.input<typeof models.ListPage>, models.AccountList>;
    /** Tells what each policy allows the account, whether that was set for it or is the default, and the networks that its keys work from. 404 `not_found`. */
    limits: Query<{ account_id: string }, models.AccountLimits>;
    /** Sets quotas of an account, and the networks that its keys work from. What the body does not name stays as it is; null brings the default back. Networks that would lock the asking key out are refused. 404 `not_found`, 409 `locks_caller_out`. */
    setLimits: Mutation<{ account_id: string } & z.input<typeof models.SetAccountLimits>, models.AccountLimits>;
    /** Tells after how many days the data of a finished request is erased, who changed that, and how many requests the days in the query would erase, counted up to 10,000: ask before you shorten it. 404 `not_found`. */
    retention: Query<{ account_id: string } & z.input<typeof models.AskAccountRetention>, models.AccountRetention>;
    /** Sets after how many days the data of a finished request is erased, counted from the end of its delivery; null keeps it. A longer retention begins at once. A shorter one is only asked for: `asked` has it, until another person confirms it within 7 days (`accounts.confirmRetention`) or somebody sets another retention, the present one included, which takes it back. Ids, times, outcomes and the access log stay. 404 `not_found`. */
    setRetention: Mutation<{ account_id: string } & z.input<typeof models.SetAccountRetention>, models.AccountRetention>;
    /** Makes an account's retention as short as was asked for (`accounts.setRetention`), for the days that the body names and no others. A person confirms, another one than who asked, whom that one neither added nor signed in by a link; where one person only is active on the installation that one may, and the audit says so. It erases nothing for a day, in which it can be taken back. Confirmed again it answers the same. 404 `not_found`, 409 `another_person_required`. */
    confirmRetention: Mutation<{ account_id: string } & z.input<typeof models.ConfirmRetention>, models.AccountRetention>;
    /** Ends what the account may ask for: each of its keys is answered 403 `account_suspended`. What it had accepted before is still verified and delivered. A key cannot suspend its own account. 404 `not_found`, 409 `locks_caller_out`. */
    suspend: Mutation<{ account_id: string }, models.Account>;
    /** Lets the keys of a suspended account work again. For an account that is not suspended nothing changes. 404 `not_found`. */
    resume: Mutation<{ account_id: string }, models.Account>;
  };
  erasures: {
    /** Pages through the erasures that were asked for and can be confirmed, and those that are done, with their certificates. Ask for the next page with the `next_cursor` of the one before; null on the last page. */
    list: Query<z.input<typeof models.ListPage>, models.ErasureList>;
    /** Erases the request that was asked for, at once, and answers the certificate, which is in the audit as well: what was erased, who asked and who confirmed, and which copies are still there. A person confirms, another one than who asked, with the last four characters of the member id; where one person alone is active on the installation that one may, and the certificate says so. Confirmed again it answers the same. After five wrong endings it has to be asked for again. 404 `not_found`, 409 `legal_hold`, 409 `another_person_required`, 410 `request_erased`. */
    confirm: Mutation<{ erasure_id: string } & z.input<typeof models.ConfirmErasure>, models.Erasure>;
  };
  holds: {
    /** Pages through the legal holds, also those that were ended: what each covers, why, who placed it and since when. Ask for the next page with the `next_cursor` of the one before; null on the last page. */
    list: Query<z.input<typeof models.ListPage>, models.LegalHoldList>;
    /** From then on nothing of the request, or of any request of the account, is erased: not at the end of its retention, not because somebody asks for it (409 `legal_hold`, which names the hold), and what supports it not when it is old. It is in force until it is ended. 404 `not_found`, 410 `request_erased`. Not retried. */
    place: Mutation<z.input<typeof models.PlaceHold>, models.LegalHold>;
    /** From then on what it kept is erased as before, where no other hold is in force: what is past its retention within a day. A hold that was ended stays so. 404 `not_found`. */
    end: Mutation<{ hold_id: string }, models.LegalHold>;
  };
  staff: {
    /** Adds a person who signs in to the console, and makes a link for the first time: it works once, within 30 minutes, or as an invitation to the identity provider within a week. People of an account read its requests (`viewer`) and make them (`requester`); every other role acts across accounts, and is of the platform. Not retried. */
    add: Mutation<z.input<typeof models.AddStaff>, models.AddedStaff>;
    /** Pages through everyone who signs in to the console, those who have left among them. */
    list: Query<z.input<typeof models.ListPage>, models.StaffList>;
    /** Gives a person these roles instead of those they have, and other bounds where the body names some: networks, and what a verifier is kept to. They hold from the next call on, in every session. Nobody takes `admin` from themselves, and nobody gives themselves a role, or takes a bound from one, where there is another administrator to do it. 404 `not_found`, 409 `locks_caller_out`, 409 `another_admin_required`. */
    setRoles: Mutation<{ staff_id: string } & z.input<typeof models.SetStaffRoles>, models.StaffMember>;
    /** Makes a link that signs the person in once, within 30 minutes; where an identity provider signs people in, it invites them for a week instead. Its secret is only in this answer; only a keyed hash is stored. Links made before keep their time. 404 `not_found`. Not retried. */
    link: Mutation<{ staff_id: string }, models.StaffLink>;
    /** Ends what a person may do for good, with each of their sessions and unused links, in every process at once. Leases that they hold end by themselves. The audit continues to name them. You cannot end your own access. 404 `not_found`, 409 `locks_caller_out`. */
    end: Mutation<{ staff_id: string }, models.StaffMember>;
  };
  sessions: {
    /** Tells who the caller is, what it may do and, of a person who is signed in, when the session ends. */
    me: Query<void, models.Myself>;
    /** Pages through the sessions that are under way: with `admin` everyone's, else the caller's own. A key has none. */
    list: Query<z.input<typeof models.ListPage>, models.StaffSessionList>;
    /** Ends one of the caller's own sessions, with `admin` anyone's: at once, in every process. A session that has ended already stays so. 404 `not_found`. */
    end: Mutation<{ session_id: string }, models.EndedSession>;
    /** Gives an operator's session emergency access for an hour: the operator may then do what a verifier may, on any account. A person breaks it for the session that asks, signed in within 15 minutes in any way, and while the identity provider is down with the session that they have; a key for any operator's. The reason is kept; the log, the metrics and the audit tell of it. 404 `not_found`. Not retried. */
    breakGlass: Mutation<{ session_id: string } & z.input<typeof models.BreakGlass>, models.EmergencyAccess>;
    /** Pages through the accounts that the person who is signed in may act for: their own, or for a person of the platform every one that is not suspended. Operators and auditors find by it whose rows they want to see. The header `Account-Id` of a call names one of them; without it a person of the platform acts for `default`. */
    accounts: Query<z.input<typeof models.FindAccounts>, models.AccountList>;
  };
  passkeys: {
    /** Lists the passkeys of the person who asks, newest first; there are 20 at most. */
    list: Query<void, models.PasskeyList>;
    /** Answers what a browser needs to make a passkey for the person who is signed in: one that the authenticator finds by itself, and that checks who uses it. The token brings it back within five minutes (`passkeys.add`). 409 `passkeys_need_name`. */
    begin: Mutation<void, models.BegunPasskey>;
    /** Registers the passkey that a browser made with what `passkeys.begin` answered. From then on it signs its person in; where an identity provider decides who has access, within 12 hours of each sign-in there. 409 `passkeys_need_name`. Not retried. */
    add: Mutation<z.input<typeof models.AddPasskey>, models.Passkey>;
    /** Removes one of one's own passkeys: it can no longer be used to sign in. Sessions that it began continue until they end, or are ended. 404 `not_found`. Not retried. */
    end: Mutation<{ passkey_id: string }, models.EndedPasskey>;
  };
  settings: {
    /** Tells how the person who asks has set up the console: zone, density and keys. They hold in every browser. */
    get: Query<void, models.Settings>;
    /** Changes how the console is set up for the person who asks, in every browser. What the body does not name stays as it is; `keys` takes the place of all keys chosen before, and an empty one brings back the default. */
    set: Mutation<z.input<typeof models.SetSettings>, models.Settings>;
  };
  audit: {
    /** Pages through who did or saw what, and when. Every read of a patient's data has its line; what a person's page reads again within 15 minutes has one for the requests that it had not seen. A list is one line: `request_id` finds it by each request that was in it. With filters that few lines meet, a page may be short or empty before the last: only a `next_cursor` of null says that it was the last. */
    list: Query<z.input<typeof models.ListAudit>, models.AuditList>;
    /** The lines that `audit.list` would list, as the lines of a file: NDJSON or CSV. The file is the `items` of all parts, one after the other; go on while there is a `next_cursor`. `iv audit export` writes it. */
    export: Query<z.input<typeof models.ExportAudit>, models.AuditExport>;
    /** Pages through the seals, newest first: each states, signed, what the lines of its range were. With the public keys that verify them, and what is not sealed yet. A test account’s key sees none. */
    seals: Query<z.input<typeof models.ListSeals>, models.AuditSealList>;
    /** Reads the lines of the next seals, some 50,000, and compares them with what was signed. Call it again with `next_cursor` until that is null. The service compares; `iv audit verify` does it without believing the service. A test account’s key finds nothing to verify. */
    verify: Query<z.input<typeof models.VerifyAudit>, models.AuditVerification>;
  };
  reports: {
    /** Tells for each payer that was asked over X12 in a month how many inquiries were sent and how fast they were answered, as the CORE operating rules ask. */
    responseTimes: Query<z.input<typeof models.ReportMonth>, models.ResponseTimesReport>;
    /** Tells for each hour or day how many requests came in, how many were verified, how many could not be, how many results were corrected, and of those that were needed by a time (`Needed-By`) how many had a result by then; each in the step in which it happened. 404 `not_found`. */
    requests: Query<z.input<typeof models.ReportRange>, models.RequestsReport>;
    /** Tells the median, the 90th and the 99th percentile of the time to a result, of the handling by a verifier, of payers’ X12 answers or of deliveries. Counts are exact; quantiles are within 4.5 % of the exact ones. 404 `not_found`. */
    times: Query<z.input<typeof models.ReportTimes>, models.TimesReport>;
    /** Tells why requests could not be verified, or how webhook attempts ended: how often each reason was given, the most frequent first. 404 `not_found`. */
    reasons: Query<z.input<typeof models.ReportReasons>, models.ReasonsReport>;
    /** Tells for each payer and channel how many requests wait, how many are worked on, and how long the oldest has waited. 404 `not_found`. */
    queue: Query<z.input<typeof models.ReportQueue>, models.QueueReport>;
    /** Tells for each hour or day how many outputs were held, applied and dismissed; and how many wait for an operator now, and for how long. 404 `not_found`. */
    held: Query<z.input<typeof models.ReportRange>, models.HeldReport>;
  };
  webhookSecret: {
    /** Shows what the webhooks of the key's account are signed with (Standard Webhooks), and the secret before it while that still signs too. */
    get: Query<void, models.WebhookSecret>;
    /** Makes a new secret. For 24 hours webhooks carry signatures of both, so that receivers can change over without a gap. At most nine old secrets are kept within a day; beyond it the answer is 429. 429 `rate_limited`. Not retried. */
    rotate: Mutation<void, models.WebhookSecret>;
  };
}

/** The REST route of each operation. */
export const ROUTES = {
  'requests.create': { method: 'POST', path: '/requests/', repeatable: true, takesIdempotencyKey: true },
  'requests.list': { method: 'GET', path: '/requests/', repeatable: true },
  'requests.search': { method: 'POST', path: '/requests/search', repeatable: true },
  'requests.stats': { method: 'GET', path: '/requests/stats', repeatable: true, takesNoInput: true },
  'requests.get': { method: 'GET', path: '/requests/{request_id}', repeatable: true },
  'requests.result': { method: 'GET', path: '/requests/{request_id}/result', repeatable: true },
  'requests.benefits': { method: 'GET', path: '/requests/{request_id}/benefits', repeatable: true },
  'requests.deliveries': { method: 'GET', path: '/requests/{request_id}/deliveries', repeatable: true },
  'requests.redeliver': { method: 'POST', path: '/requests/{request_id}/redeliver', repeatable: true },
  'requests.close': { method: 'POST', path: '/requests/{request_id}/close', repeatable: false },
  'requests.attempts': { method: 'GET', path: '/requests/{request_id}/attempts', repeatable: true },
  'requests.exchanges': { method: 'GET', path: '/requests/{request_id}/exchanges', repeatable: true },
  'requests.proof': { method: 'GET', path: '/requests/{request_id}/proof', repeatable: true },
  'requests.view': { method: 'GET', path: '/requests/{request_id}/view', repeatable: true },
  'requests.reveal': { method: 'POST', path: '/requests/{request_id}/reveal', repeatable: true },
  'requests.noteCopy': { method: 'POST', path: '/requests/{request_id}/note-copy', repeatable: true },
  'requests.erase': { method: 'POST', path: '/requests/{request_id}/erase', repeatable: true },
  'requests.readers': { method: 'GET', path: '/requests/{request_id}/readers', repeatable: true },
  'payers.list': { method: 'GET', path: '/payers', repeatable: true, takesNoInput: true },
  'demo.play': { method: 'POST', path: '/demo/play', repeatable: false, takesNoInput: true },
  'demo.playDay': { method: 'POST', path: '/demo/day', repeatable: false, takesNoInput: true },
  'demo.clearDay': { method: 'POST', path: '/demo/day/clear', repeatable: true, takesNoInput: true },
  'work.claim': { method: 'POST', path: '/work/claim', repeatable: false },
  'work.claimRequest': { method: 'POST', path: '/work/{request_id}/claim', repeatable: false },
  'work.heartbeat': { method: 'POST', path: '/work/{request_id}/heartbeat', repeatable: true },
  'work.startCall': { method: 'POST', path: '/work/{request_id}/start-call', repeatable: true },
  'work.endCall': { method: 'POST', path: '/work/{request_id}/end-call', repeatable: true },
  'work.release': { method: 'POST', path: '/work/{request_id}/release', repeatable: false },
  'work.fail': { method: 'POST', path: '/work/{request_id}/fail', repeatable: false },
  'work.submit': { method: 'POST', path: '/work/{request_id}/submit', repeatable: false },
  'work.stats': { method: 'GET', path: '/work/stats', repeatable: true },
  'work.payers': { method: 'GET', path: '/work/payers', repeatable: true, takesNoInput: true },
  'work.day': { method: 'GET', path: '/work/day', repeatable: true },
  'work.done': { method: 'GET', path: '/work/done', repeatable: true },
  'drafts.list': { method: 'GET', path: '/drafts', repeatable: true },
  'drafts.get': { method: 'GET', path: '/work/{request_id}/draft', repeatable: true },
  'drafts.save': { method: 'POST', path: '/work/{request_id}/draft', repeatable: true },
  'drafts.discard': { method: 'POST', path: '/work/{request_id}/draft/discard', repeatable: true },
  'drafts.adopt': { method: 'POST', path: '/work/{request_id}/draft/adopt', repeatable: false },
  'deliveries.list': { method: 'GET', path: '/deliveries', repeatable: true },
  'deliveries.get': { method: 'GET', path: '/deliveries/{delivery_id}', repeatable: true },
  'deliveries.redeliverMatching': { method: 'POST', path: '/deliveries/redeliver', repeatable: true },
  'deliveries.redeliverExhausted': { method: 'POST', path: '/deliveries/redeliver-exhausted', repeatable: true },
  'receivers.list': { method: 'GET', path: '/receivers', repeatable: true, takesNoInput: true },
  'receivers.tryNow': { method: 'POST', path: '/receivers/try', repeatable: true },
  'verificationOutput.submit': { method: 'POST', path: '/verification-output', repeatable: true },
  'heldOutputs.list': { method: 'GET', path: '/held-outputs', repeatable: true },
  'heldOutputs.stats': { method: 'GET', path: '/held-outputs/stats', repeatable: true, takesNoInput: true },
  'heldOutputs.get': { method: 'GET', path: '/held-outputs/{held_id}', repeatable: true },
  'heldOutputs.compare': { method: 'GET', path: '/held-outputs/{held_id}/comparison', repeatable: true },
  'heldOutputs.apply': { method: 'POST', path: '/held-outputs/{held_id}/apply', repeatable: false },
  'heldOutputs.dismiss': { method: 'POST', path: '/held-outputs/{held_id}/dismiss', repeatable: false },
  'heldOutputs.dismissMany': { method: 'POST', path: '/held-outputs/dismiss', repeatable: false },
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
  'passkeys.list': { method: 'GET', path: '/passkeys', repeatable: true, takesNoInput: true },
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
  'reports.requests': { method: 'GET', path: '/reports/requests', repeatable: true },
  'reports.times': { method: 'GET', path: '/reports/times', repeatable: true },
  'reports.reasons': { method: 'GET', path: '/reports/reasons', repeatable: true },
  'reports.queue': { method: 'GET', path: '/reports/queue', repeatable: true },
  'reports.held': { method: 'GET', path: '/reports/held', repeatable: true },
  'webhookSecret.get': { method: 'GET', path: '/webhook-secret', repeatable: true, takesNoInput: true },
  'webhookSecret.rotate': { method: 'POST', path: '/webhook-secret/rotate', repeatable: false, takesNoInput: true },
} as const satisfies Readonly<Record<string, Route>>;
