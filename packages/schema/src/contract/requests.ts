import { RequestReaderList } from '../audit/request-readers.ts';
import { GetBenefits, RequestBenefits } from '../benefits/request-benefits.ts';
import type { Schemas } from '../create-schemas.ts';
import { DeliveryList } from '../delivery/delivery.ts';
import { CloseRequest } from '../intake/close-request.ts';
import { NotedCopy } from '../intake/note-copy.ts';
import { RequestRef } from '../intake/request-ref.ts';
import { RequestStats } from '../intake/request-stats.ts';
import { ListRequests } from '../intake/search/list-requests.ts';
import { RequestSummaryList } from '../intake/search/request-summary.ts';
import { SearchRequests } from '../intake/search/search-requests.ts';
import { EraseRequest, Erasure } from '../retention/erasure.ts';
import { VerificationAttemptList } from '../verification/evidence/verification-attempt.ts';
import { X12ExchangeList } from '../verification/evidence/x12-exchange.ts';
import { SANDBOX_MEMBER_IDS } from '../verification/sandbox-members.ts';
import { exampleBenefits } from './examples/benefits.ts';
import { exampleAttempts } from './examples/delivery.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { exampleOutput } from './examples/output.ts';
import { exampleProof } from './examples/proof.ts';
import { exampleRequest, exampleRequestModel } from './examples/request.ts';
import { exampleAsked, exampleErasure } from './examples/retention.ts';
import { exampleReader, exampleSummary, exampleView } from './examples/view.ts';
import { exampleAttempt, exampleCall, exampleExchange } from './examples/work.ts';
import { operation } from './operation.ts';

/** As the document lists them. */
const SANDBOX_IDS = Object.entries(SANDBOX_MEMBER_IDS)
  .filter(([, { kind }]) => kind !== 'failed')
  .map(([id]) => `\`${id}\``)
  .join(', ');

/** The operations of `requests`. */
export const requestsOperations = (schemas: Schemas) => ({
  // Its Idempotency-Key makes a create repeatable: a retry returns the first answer again.
  create: operation('requests.create', {
    post: '/requests/',
    scopes: ['requests'],
    audience: ['provider'],
    repeatable: true,
    takesIdempotencyKey: true,
    tag: 'Intake',
    summary: 'Create a verification request',
    description: `Takes in a request to verify a patient's eligibility, and answers when it is stored. The result is posted to \`callback_url\` later, signed. With an \`Idempotency-Key\` a retry gets the first answer again and makes no second request. \`Service-Date\` is the day to ask the payer about, \`Needed-By\` when the result is needed: of an account's requests the earliest is worked on first. A request takes 128 KiB at most, as JSON without white space whose characters beyond ASCII are escaped (\`\\u00e9\`): a larger one is a 413. Unknown members are ignored; a test account finds their names in \`Ignored-Members\`, and in \`Doubtful-Members\` which values cannot be right. In a test account these member ids come to an outcome by themselves: ${SANDBOX_IDS}, and \`TEST-\` with the slug of an error reason, as \`TEST-MEMBER-NOT-FOUND\`.`,
    limit: 'intake',
    reportsIgnoredMembers: true,
    problems: ['idempotency_in_progress', 'request_erased'],
    changes: ['request', 'work'],
    input: schemas.RequestInfo,
    output: schemas.RequestModel,
    example: exampleRequest(schemas),
    answers: { pending: exampleRequestModel(schemas) },
  }),

  list: operation('requests.list', {
    get: '/requests/',
    scopes: ['requests'],
    audience: ['provider'],
    tag: 'Intake',
    summary: 'List requests, newest first',
    description:
      "Pages through the requests of the key's account, of one `state` where that is given. Ask for the next page with the `next_cursor` of the one before; null on the last page. Requests whose data was erased, at the end of the account's retention, are in `erased`.",
    limit: 'reads',
    input: ListRequests,
    output: schemas.RequestList,
    example: { limit: 20, cursor: EXAMPLE_IDS.request, state: 'pending' },
    answers: { page: { items: [exampleRequestModel(schemas)], erased: [], next_cursor: null } },
  }),

  // A member id is a patient's, and addresses end up in logs.
  search: operation('requests.search', {
    post: '/requests/search',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    repeatable: true,
    onlyReads: true,
    tag: 'Intake',
    summary: 'Search requests',
    description:
      'Finds requests that match every given criterion: by `request_id`, by the `idempotency_key` that they were created with (remembered for 24 hours at least), by the whole `subscriber_id`, by the `npi` of the provider, or by how they stand. It is a POST because a member id must not stand in an address. Operators search every account, others their own. Of a patient it has the initials; each request found is in the access log. A page may be short before the last, where few requests meet the criteria or their data is large.',
    limit: 'reads',
    changes: [],
    input: SearchRequests,
    output: RequestSummaryList,
    example: { subscriber_id: 'W123456789', account_id: EXAMPLE_IDS.account, limit: 20, order: 'newest' },
    answers: {
      found: { items: [exampleSummary], next_cursor: null },
      nothing: { items: [], next_cursor: null },
    },
  }),

  stats: operation('requests.stats', {
    get: '/requests/stats',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    tag: 'Intake',
    summary: 'Count the requests that somebody should look at',
    description:
      'Counts, up to 10,000 each, the requests without a result although the time at which they are needed is past, and the deliveries that were given up. With scope `operate` those of every account.',
    limit: 'reads',
    output: RequestStats,
    answers: { some: { late_count: 3, given_up_count: 5 } },
  }),

  // With only `verify`, the caller's own work.
  get: operation('requests.get', {
    get: '/requests/{request_id}',
    scopes: ['requests', 'operate', 'verify'],
    audience: ['provider', 'verifier', 'operator'],
    tag: 'Intake',
    summary: 'Read a request',
    description:
      'Returns the current state of a request. `complete` shows as soon as its result is accepted and does not wait for the callback address; `error_reason` says why where the state is an error. With `verify` it reads what the caller leases, or worked on within a day.',
    ownWork: true,
    limit: 'reads',
    problems: ['not_found', 'request_erased'],
    params: RequestRef,
    output: schemas.RequestModel,
    answers: {
      pending: exampleRequestModel(schemas),
      complete: exampleRequestModel(schemas, { state: 'complete' }),
      not_found_by_payer: exampleRequestModel(schemas, {
        state: 'error_verifying',
        error_reason: 'member_not_found',
      }),
    },
  }),

  result: operation('requests.result', {
    get: '/requests/{request_id}/result',
    scopes: ['requests', 'operate', 'verify'],
    audience: ['provider', 'verifier', 'operator'],
    tag: 'Output',
    summary: 'Read the result',
    description:
      'Gives the latest result of a request, as its webhook has it, with the state that the request has now. Before there is a result the answer is 404 `result_not_ready`.',
    ownWork: true,
    limit: 'reads',
    problems: ['not_found', 'result_not_ready', 'request_erased'],
    params: RequestRef,
    output: schemas.ResponseModel,
    answers: {
      active: exampleOutput(schemas),
      member_not_found: {
        request: exampleRequestModel(schemas, {
          state: 'error_verifying',
          error_reason: 'member_not_found',
        }),
        insurance_data: [],
      },
    },
  }),

  benefits: operation('requests.benefits', {
    get: '/requests/{request_id}/benefits',
    scopes: ['requests', 'operate', 'verify'],
    audience: ['provider', 'verifier', 'operator'],
    tag: 'Output',
    summary: 'Read the benefits',
    description:
      'Returns everything that the payer said of the patient in addition to the result: co-payments, deductibles and what is left of them, limits, authorizations, other payers. Nothing is left out. `summary` has what a desk asks for first, where the rows leave exactly one reading. A result that came without benefits answers with empty lists. Before there is a result the answer is 404 `result_not_ready`.',
    ownWork: true,
    limit: 'reads',
    problems: ['not_found', 'result_not_ready', 'request_erased'],
    params: RequestRef,
    input: GetBenefits,
    output: RequestBenefits,
    example: { version: 1 },
    answers: { active: exampleBenefits(schemas) },
  }),

  deliveries: operation('requests.deliveries', {
    get: '/requests/{request_id}/deliveries',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    tag: 'Delivery',
    summary: 'List deliveries and attempts',
    description:
      'Tells how the results of a request come to its callback address: a delivery for each version, with every attempt, how it ended and the start of what the receiver answered. This is where to look when a webhook does not arrive.',
    limit: 'reads',
    problems: ['not_found'],
    params: RequestRef,
    output: DeliveryList,
    answers: {
      second_attempt_succeeded: {
        items: [
          {
            delivery_id: EXAMPLE_IDS.delivery,
            version: 1,
            status: 'delivered',
            next_attempt_at: null,
            left_alone_since: null,
            attempts: exampleAttempts,
          },
        ],
      },
    },
  }),

  // During the first round a second redelivery changes nothing; afterwards, the receiver knows the id.
  redeliver: operation('requests.redeliver', {
    post: '/requests/{request_id}/redeliver',
    scopes: ['requests'],
    audience: ['provider'],
    repeatable: true,
    tag: 'Delivery',
    summary: 'Deliver the result again',
    description:
      'Starts a new round of attempts of the latest result: the same message, with the same `webhook-id` and the same bytes. While attempts are still due nothing changes.',
    problems: ['not_found', 'no_result', 'request_erased'],
    changes: ['delivery'],
    params: RequestRef,
    output: schemas.RequestModel,
    answers: { under_way: exampleRequestModel(schemas, { state: 'complete' }) },
  }),

  // A second close answers 409, as if someone else had finished the request.
  close: operation('requests.close', {
    post: '/requests/{request_id}/close',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    repeatable: false,
    tag: 'Intake',
    summary: 'Close a request without a result',
    description:
      'Ends a request that has no outcome yet: as `error_verifying` with the given reason, delivered to its callback address like any result. `withdrawn` is the reason where the provider no longer wants to know.',
    problems: ['not_found', 'request_finished', 'request_erased'],
    changes: ['request', 'work', 'delivery'],
    params: RequestRef,
    input: CloseRequest,
    output: schemas.RequestModel,
    example: { reason: 'withdrawn' },
    answers: {
      withdrawn: exampleRequestModel(schemas, { state: 'error_verifying', error_reason: 'withdrawn' }),
    },
  }),

  attempts: operation('requests.attempts', {
    get: '/requests/{request_id}/attempts',
    scopes: ['requests', 'operate', 'verify'],
    audience: ['provider', 'verifier', 'operator'],
    tag: 'Work',
    summary: 'List the attempts at a verification',
    description:
      'Lists who tried to verify, through which channel, how it ended and what supports the result. Operators and verifiers also see the internal notes.',
    ownWork: true,
    limit: 'reads',
    problems: ['not_found', 'request_erased'],
    params: RequestRef,
    output: VerificationAttemptList,
    answers: { portal_then_phone: { items: [exampleAttempt, exampleCall] } },
  }),

  exchanges: operation('requests.exchanges', {
    get: '/requests/{request_id}/exchanges',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    tag: 'Work',
    summary: 'List what payers were asked and answered over X12',
    description:
      'Lists the X12 inquiries (270) that were sent to the payer about a request, and what came back, as they were on the wire: the evidence for a dispute with a payer. The account that asked gets the X12 of an answer; anything else, such as a page of a gateway, is for operators.',
    limit: 'reads',
    problems: ['not_found', 'request_erased'],
    params: RequestRef,
    output: X12ExchangeList,
    answers: { active: { items: [exampleExchange] } },
  }),

  proof: operation('requests.proof', {
    get: '/requests/{request_id}/proof',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    tag: 'Output',
    summary: 'Read the proof of a verification',
    description:
      'Gives in one answer what proves that eligibility was verified: who was asked, about which day, by whom, when and over which channel, what was answered, when the receiver took it, the SHA-256 of the body of its webhook, and the seal over the audit’s entry of it. Callers who look after requests of others get it without the patient and the benefits: `requests.reveal` and `requests.benefits` show these. Before there is a result the answer is 404 `result_not_ready`.',
    limit: 'reads',
    problems: ['not_found', 'result_not_ready', 'request_erased'],
    params: RequestRef,
    output: schemas.VerificationProof,
    answers: { call: exampleProof(schemas) },
  }),

  view: operation('requests.view', {
    get: '/requests/{request_id}/view',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    tag: 'Intake',
    summary: 'View everything that happened to a request',
    description:
      'Returns in one answer the state of a request, its attempts, results, deliveries, the outputs of it that were held, and what was found. Callers who may post requests of its account also get the request with the patient and the result, `revealed`; to all others, who look after it, that is null until they ask for it with `requests.reveal`. What a held output says is not told here; who sent and settled it, to operators alone.',
    limit: 'reads',
    problems: ['not_found'],
    params: RequestRef,
    output: schemas.RequestView,
    answers: { masked: exampleView(schemas) },
  }),

  reveal: operation('requests.reveal', {
    post: '/requests/{request_id}/reveal',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    repeatable: true,
    onlyReads: true,
    recordsEachCall: true,
    tag: 'Intake',
    summary: 'Reveal the patient of a request',
    description:
      'Gives what `requests.view` keeps back from callers who look after requests of others: the request with the patient, and the result. Each call is in the access log under its own name. Before there is a result `insurance_data` is empty.',
    limit: 'reads',
    problems: ['not_found', 'request_erased'],
    changes: [],
    params: RequestRef,
    output: schemas.ResponseModel,
    answers: { active: exampleOutput(schemas) },
  }),

  noteCopy: operation('requests.noteCopy', {
    post: '/requests/{request_id}/note-copy',
    scopes: ['requests', 'operate', 'verify'],
    audience: ['provider', 'verifier', 'operator'],
    repeatable: true,
    onlyReads: true,
    recordsEachCall: true,
    tag: 'Intake',
    summary: 'Note that patient data was copied',
    description:
      'Puts into the access log that something of the patient was copied out of a page about the request; pages call it with each copy. With `verify` it takes what the caller leases, or worked on within a day.',
    ownWork: true,
    problems: ['not_found'],
    changes: [],
    params: RequestRef,
    output: NotedCopy,
    answers: { noted: { status: 'noted' } },
  }),

  // Asked for again it is the same, also when it is done.
  erase: operation('requests.erase', {
    post: '/requests/{request_id}/erase',
    scopes: ['privacy'],
    audience: ['operator'],
    repeatable: true,
    asksFreshSignIn: true,
    tag: 'Privacy',
    summary: 'Ask for the erasure of a request',
    description:
      'Asks that the data of one request is erased now, finished or not: as at the end of a retention, of everything that the service has of it. A person confirms it within 7 days, another one than who asked (`erasures.confirm`); until then nothing is erased. Asked for again it stays as it is, also when it is done.',
    problems: ['not_found', 'legal_hold', 'request_erased'],
    changes: ['request'],
    params: RequestRef,
    input: EraseRequest,
    output: Erasure,
    example: { reason: 'wrong_patient' },
    answers: { asked: exampleAsked, done: exampleErasure },
  }),

  readers: operation('requests.readers', {
    get: '/requests/{request_id}/readers',
    scopes: ['operate', 'audit'],
    audience: ['operator'],
    tag: 'Access',
    summary: 'List who saw a request',
    description:
      'Tells from the access log who did what with a request, and how often: each caller and operation once, the latest first, from the newest 10,000 lines. For operators, who may read the request itself, and auditors. Reading it is in the access log as well.',
    limit: 'reads',
    problems: ['not_found'],
    params: RequestRef,
    output: RequestReaderList,
    answers: { revealed: { items: [exampleReader] } },
  }),
});
