import * as z from 'zod';
import { ofModeField } from '../access/account.ts';
import type { Schemas } from '../create-schemas.ts';
import { VERIFICATION_REASON_SLUGS } from '../error-reason.ts';
import { dateTime } from '../field/date.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import { RequestSummaryList, RequestRef } from '../intake/request-view.ts';
import { enumeration, model } from '../model.ts';
import { cursorField, limitField, orderField } from '../page.ts';
import { RequestState } from '../request-state.ts';
import { EraseRequest, Erasure } from '../retention/erasure.ts';
import { VerificationSource } from '../verification/insurance-plan-data.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { exampleOutput } from './examples/output.ts';
import { exampleRequest, exampleRequestModel } from './examples/request.ts';
import { exampleAsked, exampleErasure } from './examples/retention.ts';
import { exampleRequests } from './examples/sandbox.ts';
import { exampleSummary, exampleView } from './examples/view.ts';
import { operation } from './operation.ts';

/** Who did one thing with a request, and how often (`requests.readers`). */
export const RequestReader = model('RequestReader', 'Who did one thing with a request, and how often.', {
  key_id: z.string().nullable().meta({
    description:
      'The key or person (stf_…), or a worker of the service; null for a caller without one, and where the caller may not know.',
  }),
  name: z.string().nullable().meta({ description: 'The name of that person or key; null without one.' }),
  operation: z.string().meta({ description: 'What was done, for example requests.reveal.' }),
  count: wholeNumber().meta({
    description: 'How often; what a person’s page reads again within 15 minutes counts once.',
  }),
  first_at: dateTime().meta({ description: 'When first.' }),
  last_at: dateTime().meta({ description: 'When last.' }),
});
export type RequestReader = z.infer<typeof RequestReader>;

/** Who did what with a request, from its newest 10,000 lines of the access log. */
export const RequestReaderList = model('RequestReaderList', 'Who did what with a request.', {
  items: list(RequestReader).meta({ description: 'Each caller and operation once, the latest first.' }),
});
export type RequestReaderList = z.infer<typeof RequestReaderList>;

/**
 * Why a request ends without a verifier: the requester withdrew it, it is too old, or a slug of `ERROR_REASONS` except
 * the delivery's: a closed request was not verified, and its `error_reason` says why.
 */
export const CloseReason = enumeration('CloseReason', 'Why a request is closed.', [
  'withdrawn',
  'expired',
  ...VERIFICATION_REASON_SLUGS,
]);
export type CloseReason = z.infer<typeof CloseReason>;

/** The body that closes a request as error_verifying (`requests.close`). */
export const CloseRequest = model('CloseRequest', 'Closes a request as error_verifying.', {
  reason: CloseReason.meta({ description: 'Why; it becomes the error_reason of the request.' }),
});
export type CloseRequest = z.infer<typeof CloseRequest>;

/** How many requests need attention now (`requests.stats`). */
export const RequestStats = model('RequestStats', 'How many requests somebody should look at now.', {
  late_count: wholeNumber().meta({
    description:
      'Requests without a result at the time they are needed, 10,000 at most: what `requests.search` finds with `late`.',
  }),
  given_up_count: wholeNumber().meta({
    description:
      'Deliveries that were given up and not sent again, 10,000 at most: what `deliveries.list` has with the status `exhausted`.',
  }),
});
export type RequestStats = z.infer<typeof RequestStats>;

/** Which requests to list, newest first (`requests.list`). */
export const ListRequests = model('ListRequests', 'Which requests to list, newest first.', {
  limit: limitField(),
  cursor: cursorField(),
  state: RequestState.optional().meta({ description: 'Only requests in this state; absent lists all.' }),
});
/** {@link ListRequests} as a type, after the default is filled in. */
export type ListRequests = z.infer<typeof ListRequests>;

/** The requests to find (`requests.search`): those that match every given criterion. */
export const SearchRequests = model('SearchRequests', 'Which requests to find.', {
  request_id: z.string().optional().meta({ description: 'Only the request of this id.' }),
  idempotency_key: z.string().optional().meta({
    description: 'Only requests created with this Idempotency-Key; for 24 hours at least.',
  }),
  subscriber_id: z.string().optional().meta({
    description:
      "Only requests about this whole member id; white space and case do not count. It is a patient's: send it only in a body.",
  }),
  npi: z.string().optional().meta({
    description: 'Only requests of the provider with this NPI; white space does not count.',
  }),
  account_id: z.string().optional().meta({ description: 'Only requests of this account; absent: of any.' }),
  account_mode: ofModeField(),
  payer_id: z.string().optional().meta({ description: 'Only requests to this payer, by its id.' }),
  state: RequestState.optional().meta({ description: 'Only requests in this state.' }),
  error_reason: z.string().optional().meta({
    description: 'Only requests that failed for this reason, for example member_not_found.',
  }),
  channel: VerificationSource.optional().meta({
    description: 'Only requests that wait in this channel, or were in it last.',
  }),
  late: z.literal(true).optional().meta({
    description: 'Only requests without a result although the time at which they are needed is past.',
  }),
  since: dateTime().optional().meta({ description: 'Only requests received at this time or later.' }),
  until: dateTime().optional().meta({ description: 'Only requests received before this time.' }),
  limit: limitField(),
  cursor: cursorField(),
  order: orderField(),
});
/** {@link SearchRequests} as a type, after the default is filled in. */
export type SearchRequests = z.infer<typeof SearchRequests>;

/** Who looked at the example's request. */
const exampleReader: RequestReader = {
  key_id: EXAMPLE_IDS.staff,
  name: 'Ada Jones',
  operation: 'requests.reveal',
  count: 2,
  first_at: '2026-11-20T11:02:00.000Z',
  last_at: '2026-11-20T11:40:12.000Z',
};

/** The operations of `requests` from its creation to its end. */
export const requestsOperations = (schemas: Schemas) => ({
  // Its Idempotency-Key makes a create repeatable: a retry returns the first answer again.
  create: operation('requests.create', {
    post: '/requests/',
    scopes: ['requests'],
    audience: ['provider'],
    repeatable: true,
    takesIdempotencyKey: true,
    takesAskedWhen: true,
    tag: 'Intake',
    summary: 'Create a verification request',
    description: `Stores a request to verify a patient's eligibility. The signed result is posted to \`callback_url\` later (the webhook \`verificationResult\`). A retry with the same \`Idempotency-Key\` returns the first answer and creates no second request. A request may take 128 KiB as JSON without white space, with characters outside ASCII escaped (\`\\u00e9\`); a larger one is a 413. Unknown members are ignored. In a test account the examples’ member ids are answered at once, such as \`TEST-ACTIVE\`.`,
    limit: 'intake',
    reportsIgnoredMembers: true,
    problems: ['idempotency_in_progress', 'request_erased'],
    changes: ['request', 'work'],
    input: schemas.RequestInfo,
    output: schemas.RequestModel,
    example: exampleRequest(schemas),
    examples: exampleRequests(schemas),
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
      'Returns the requests that match every criterion: for operators of every account, for others of their own. A page before the last may be short.',
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
      'Counts requests that are past the time they were needed and have no result, and deliveries that were given up, up to 10,000 each. With scope `operate`, of every account, and with a live key of live ones only.',
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
      'Returns the current state of a request. It is `complete` as soon as a result is accepted, before the webhook is delivered. With scope `verify` you can read requests that you lease, or worked on within a day.',
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

  // A second close answers 409, as if someone else had finished the request.
  close: operation('requests.close', {
    post: '/requests/{request_id}/close',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    repeatable: false,
    tag: 'Intake',
    summary: 'Close a request without a result',
    description:
      'Ends a request that has no outcome yet as `error_verifying` with the given reason, delivered like any result. Use `withdrawn` if the answer is no longer needed.',
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

  view: operation('requests.view', {
    get: '/requests/{request_id}/view',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    tag: 'Intake',
    summary: 'View the history of a request',
    description:
      'Returns the state of a request with its attempts, results, deliveries, held outputs and coverages in one answer. `revealed` has the patient and the result where the caller may create requests in its account; else `requests.reveal` returns it.',
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
