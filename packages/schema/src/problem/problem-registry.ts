/** The tRPC code of each HTTP status of a problem. Spelled out, so that this package needs no tRPC. */
const TRPC_CODES = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  408: 'TIMEOUT',
  409: 'CONFLICT',
  410: 'NOT_FOUND', // tRPC has no code of its own for what is gone
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  431: 'BAD_REQUEST',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
} as const;

/** The HTTP statuses of problems. */
type ProblemStatus = keyof typeof TRPC_CODES;

/** The tRPC error codes the registry uses. */
export type ProblemTrpcCode = (typeof TRPC_CODES)[ProblemStatus];

/** The properties of a problem. */
export interface ProblemFact {
  /** The HTTP status. */
  readonly status: number;
  /** The code of the same error over tRPC. */
  readonly trpcCode: ProblemTrpcCode;
  /** Whether the same call may succeed when sent again later without a change. */
  readonly retryable: boolean;
  /** RFC 9457 `title`. */
  readonly title: string;
  /** RFC 9457 `detail`. */
  readonly sentence: string;
}

interface Row extends Omit<ProblemFact, 'trpcCode' | 'retryable'> {
  readonly status: ProblemStatus;
  /** Only where the same call can succeed later. */
  readonly retryable?: true;
}

const rows = {
  bad_request: {
    status: 400,
    title: 'Bad request',
    sentence: 'The request could not be understood.',
  },
  idempotency_key_on_batch: {
    status: 400,
    title: 'Idempotency-Key on a batch',
    sentence: 'The header Idempotency-Key names one call, so it cannot be sent with a batch of calls.',
  },
  header_on_batch: {
    status: 400,
    title: 'Header of one call on a batch',
    sentence:
      'The headers Service-Date and Needed-By are about one call, so they cannot be sent with a batch of calls.',
  },
  unauthorized: {
    status: 401,
    title: 'Unauthorized',
    sentence: 'The header x-key must hold a valid API key.',
  },
  signed_out: {
    status: 401,
    title: 'Signed out',
    sentence: 'There is no session, or it has ended; sign in again.',
  },
  link_not_valid: {
    status: 401,
    title: 'Link not valid',
    sentence: 'The sign-in link is unknown, used, or older than 30 minutes.',
  },
  passkey_refused: {
    status: 401,
    title: 'Passkey refused',
    sentence: 'This passkey cannot be used to sign in.',
  },
  cross_site: {
    status: 403,
    title: 'Cross-site',
    sentence: 'The console answers only its own pages, in JSON, at its own address.',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    sentence: 'The caller lacks the scope that this operation needs.',
  },
  fresh_sign_in_required: {
    status: 403,
    title: 'Fresh sign-in required',
    sentence: 'This needs a sign-in of the last 15 minutes; sign in again and repeat it.',
  },
  person_required: {
    status: 403,
    title: 'Person required',
    sentence: 'Only a person who is signed in to the console has this; a key does not.',
  },
  account_suspended: {
    status: 403,
    title: 'Account suspended',
    sentence: 'The account is suspended; what it had accepted before is still verified and delivered.',
  },
  address_not_allowed: {
    status: 403,
    title: 'Address not allowed',
    sentence: 'The account or its key does not work from this network address.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    sentence: 'No object with this id exists in this account.',
  },
  result_not_ready: {
    status: 404,
    retryable: true,
    title: 'Result not ready',
    sentence: 'The request has no result yet.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    sentence: 'This address does not answer this method; the header Allow lists those it answers.',
  },
  request_timeout: {
    status: 408,
    retryable: true,
    title: 'Request timeout',
    sentence: 'The request did not arrive in time.',
  },
  request_finished: {
    status: 409,
    title: 'Request finished',
    sentence: 'The request already has an outcome; nothing was changed.',
  },
  no_result: {
    status: 409,
    title: 'No result',
    sentence: 'The request has no result that could be delivered again.',
  },
  held_output_settled: {
    status: 409,
    title: 'Held output settled',
    sentence: 'The held output was already applied or dismissed.',
  },
  held_output_not_applicable: {
    status: 409,
    title: 'Held output not applicable',
    sentence: 'The held output reports progress, not a result, so there is nothing to apply.',
  },
  idempotency_in_progress: {
    status: 409,
    retryable: true,
    title: 'Idempotency-Key in progress',
    sentence: 'The first request with this Idempotency-Key is still running.',
  },
  locks_caller_out: {
    status: 409,
    title: 'Locks the caller out',
    sentence: 'This change would lock out the key that makes it, so nothing was changed.',
  },
  another_admin_required: {
    status: 409,
    title: 'Another administrator required',
    sentence: 'You cannot extend your own access while another administrator can do it.',
  },
  passkeys_need_name: {
    status: 409,
    title: 'Passkeys need a name',
    sentence:
      'Browsers make passkeys only for a name, not for an address such as 127.0.0.1; open the console at localhost.',
  },
  lease_lost: {
    status: 409,
    title: 'Lease lost',
    sentence: 'The lease token is not the current one for this request; nothing was changed.',
  },
  draft_changed: {
    status: 409,
    title: 'Draft changed',
    sentence: 'The draft was saved or discarded elsewhere since it was read; nothing was changed.',
  },
  request_leased: {
    status: 409,
    retryable: true,
    title: 'Request leased',
    sentence: 'Someone is working on the request; it can be claimed when its lease has ended.',
  },
  request_not_claimable: {
    status: 409,
    retryable: true,
    title: 'Request not claimable',
    sentence:
      'The request waits for another channel than those named, or its payer takes no more work at once.',
  },
  legal_hold: {
    status: 409,
    title: 'Legal hold',
    sentence: 'A legal hold keeps this data; nothing was erased. The hold has to end first.',
  },
  another_person_required: {
    status: 409,
    title: 'Another person required',
    sentence: 'One person asks, and another confirms, whom the first neither added nor signed in.',
  },
  request_erased: {
    status: 410,
    title: 'Request erased',
    sentence: 'The data of this request was erased; its id, times and outcome are still listed.',
  },
  payload_too_large: {
    status: 413,
    title: 'Payload too large',
    sentence: 'The body is larger than the service accepts.',
  },
  unsupported_content_encoding: {
    status: 415,
    title: 'Unsupported content encoding',
    sentence: 'The body must be sent without a content encoding.',
  },
  held_capacity_exceeded: {
    status: 429,
    retryable: true,
    title: 'Held outputs at capacity',
    sentence: 'No more outputs can be held at the moment; try again in a while.',
  },
  rate_limited: {
    status: 429,
    retryable: true,
    title: 'Rate limited',
    sentence: 'Too many requests; wait a little and try again.',
  },
  header_too_large: {
    status: 431,
    title: 'Header too large',
    sentence: 'The headers of the request are larger than the service accepts.',
  },
  internal: {
    status: 500,
    retryable: true,
    title: 'Internal error',
    sentence: 'The service failed; its log has the cause.',
  },
  unavailable: {
    status: 503,
    retryable: true,
    title: 'Unavailable',
    sentence: 'The service cannot answer at the moment; try again in a few seconds.',
  },
} satisfies Record<string, Row>;

/** The code of a problem: its `code`, and the last segment of its `type`. */
export type ProblemCode = keyof typeof rows;

/** Every error of the service except 422. Append-only: codes are never renamed. */
export const PROBLEMS = Object.fromEntries(
  Object.entries<Row>(rows).map(([code, row]) => [
    code,
    { ...row, retryable: row.retryable ?? false, trpcCode: TRPC_CODES[row.status] },
  ]),
) as Readonly<Record<ProblemCode, ProblemFact>>;
