import { RequestReaderList } from '../audit/request-readers.ts';
import { GetBenefits, RequestBenefits } from '../benefits/request-benefits.ts';
import type { Schemas } from '../create-schemas.ts';
import { DeliveryList } from '../delivery/delivery.ts';
import { CloseRequest } from '../intake/close-request.ts';
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
    description: `Accepts a request to verify a patient's eligibility; returns once it is stored. The signed result is posted to \`callback_url\` later. A retry with the same \`Idempotency-Key\` returns the first answer and creates no second request. \`Service-Date\` is the day to ask the payer about; \`Needed-By\` is when you need the result, and an account's earliest is worked on first. A request may take 128 KiB as JSON without white space, with characters outside ASCII escaped (\`\\u00e9\`); a larger one is a 413. Unknown members are ignored: \`Ignored-Members\` lists them for a test account, and \`Doubtful-Members\` lists members whose values cannot be right. In a test account these member ids reach an outcome on their own: ${SANDBOX_IDS}, and \`TEST-\` with the slug of an error reason, such as \`TEST-MEMBER-NOT-FOUND\`.`,
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
      "Returns a page of the account's requests, in one `state` if you give one. Pass `next_cursor` to get the next page; it is null on the last. `erased` has the requests whose data was erased.",
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
      'Returns the requests that match every criterion: `request_id`, the `idempotency_key` they were created with (kept for at least 24 hours), the whole `subscriber_id`, the `npi` of the provider, or their state. It is a POST because a member id must not be in an address. Operators search every account, other callers their own. An item has the patient’s initials only, and each request found is in the access log. A page before the last may be short, where few requests match or their data is large.',
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
    summary: 'Count the requests that need attention',
    description:
      'Counts requests that are past the time they were needed and have no result, and deliveries that were given up, up to 10,000 each. With scope `operate` it counts every account.',
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
      'Returns the current state of a request. It is `complete` as soon as a result is accepted, before the webhook is delivered; `error_reason` gives the reason for an error. With scope `verify` you can read requests that you lease, or worked on within a day.',
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
      'Returns the latest result of a request, as in its webhook, with the current state of the request. Returns 404 `result_not_ready` until there is a result.',
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
      'Returns everything the payer reported in addition to the result: co-payments, deductibles and what is left of them, limits, authorizations, other payers. Nothing is left out. `summary` has the values a front desk asks for first, where the rows allow exactly one reading. The lists are empty for a result without benefits. Returns 404 `result_not_ready` until there is a result.',
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
      'Lists the deliveries of a request’s results, one for each version, with every attempt, its outcome and the start of the receiver’s response. Look here when a webhook does not arrive.',
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
            paused_since: null,
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
      'Starts a new round of attempts for the latest result: the same message, with the same `webhook-id` and the same bytes. Changes nothing while attempts are still due.',
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
      'Ends a request that has no outcome yet as `error_verifying` with the given reason, which is delivered to its callback address like any result. Use `withdrawn` if the provider no longer needs the answer.',
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
      'Lists each attempt: who made it, through which channel, its outcome and what supports the result. Operators and verifiers also see internal notes.',
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
    summary: 'List the X12 exchanges of a request',
    description:
      'Lists the X12 inquiries (270) sent to the payer about a request and the responses, as they were on the wire, as evidence in a dispute with a payer. The account that made the request gets the X12 of a response; only operators get anything else, such as a page of a gateway.',
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
      'Returns the proof that eligibility was verified in one answer: the payer that was asked, the service date, the verifier, the time and channel, the answer, when the receiver accepted it, the SHA-256 of the webhook’s body, and the seal over its audit entry. Callers who work on requests of other accounts get it without the patient and the benefits, which `requests.reveal` and `requests.benefits` return. Returns 404 `result_not_ready` until there is a result.',
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
    summary: 'View the history of a request',
    description:
      'Returns the state of a request with its attempts, results, deliveries, held outputs and coverages in one answer. Callers who may create requests in its account also get the patient and the result in `revealed`; for all other callers that is null, and `requests.reveal` returns it. The contents of a held output are not included; only operators see who sent and settled it.',
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
      'Returns the patient and the result, which `requests.view` withholds from callers who work on requests of other accounts. Each call is in the access log under its own name. `insurance_data` is empty until there is a result.',
    limit: 'reads',
    problems: ['not_found', 'request_erased'],
    changes: [],
    params: RequestRef,
    output: schemas.ResponseModel,
    answers: { active: exampleOutput(schemas) },
  }),

  // Asked for again it is the same, also when it is done.
  erase: operation('requests.erase', {
    post: '/requests/{request_id}/erase',
    scopes: ['privacy'],
    audience: ['operator'],
    repeatable: true,
    asksFreshSignIn: true,
    tag: 'Privacy',
    summary: 'Request the erasure of a request',
    description:
      'Requests the erasure of everything the service has about one request, finished or not. A different person must confirm it within 7 days (`erasures.confirm`); nothing is erased before. Requesting it again changes nothing, even after the erasure.',
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
    summary: 'List who read a request',
    description:
      'Lists who did what with a request, and how often, from the newest 10,000 lines of the access log: one row for each caller and operation, the latest first. For auditors, and for operators, who may read the request itself. This call is in the access log too.',
    limit: 'reads',
    problems: ['not_found'],
    params: RequestRef,
    output: RequestReaderList,
    answers: { revealed: { items: [exampleReader] } },
  }),
});
