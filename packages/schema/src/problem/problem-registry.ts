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

const RETRYABLE = true;

const problem = (status: ProblemStatus, title: string, sentence: string, retryable = false): ProblemFact => ({
  status,
  trpcCode: TRPC_CODES[status],
  retryable,
  title,
  sentence,
});

const rows = {
  bad_request: problem(400, 'Bad request', 'The request could not be understood.'),
  idempotency_key_on_batch: problem(
    400,
    'Idempotency-Key on a batch',
    'The header Idempotency-Key names one call, so it cannot be sent with a batch of calls.',
  ),
  header_on_batch: problem(
    400,
    'Header of one call on a batch',
    'The headers Service-Date, Needed-By and Gender are about one call, so they cannot be sent with a batch of calls.',
  ),
  unauthorized: problem(401, 'Unauthorized', 'The header x-key must hold a valid API key.'),
  signed_out: problem(401, 'Signed out', 'There is no session, or it has ended; sign in again.'),
  link_not_valid: problem(
    401,
    'Link not valid',
    'The link is unknown, has been used already, or is too old.',
  ),
  passkey_refused: problem(401, 'Passkey refused', 'This passkey cannot be used to sign in.'),
  cross_site: problem(
    403,
    'Cross-site',
    'The console answers only its own pages, in JSON, at its own address.',
  ),
  forbidden: problem(403, 'Forbidden', 'The caller lacks the scope that this operation needs.'),
  fresh_sign_in_required: problem(
    403,
    'Fresh sign-in required',
    'This needs a sign-in of the last 15 minutes; sign in again and repeat it.',
  ),
  person_required: problem(
    403,
    'Person required',
    'Only a person who is signed in to the console has this; a key does not.',
  ),
  account_suspended: problem(
    403,
    'Account suspended',
    'The account is suspended; what it had accepted before is still verified and delivered.',
  ),
  address_not_allowed: problem(
    403,
    'Address not allowed',
    'The account or its key does not work from this network address.',
  ),
  not_found: problem(404, 'Not found', 'No object with this id exists in this account.'),
  result_not_ready: problem(404, 'Result not ready', 'The request has no result yet.', RETRYABLE),
  method_not_allowed: problem(
    405,
    'Method not allowed',
    'This address does not answer this method; the header Allow lists those it answers.',
  ),
  request_timeout: problem(408, 'Request timeout', 'The request did not arrive in time.', RETRYABLE),
  request_finished: problem(
    409,
    'Request finished',
    'The request already has an outcome; nothing was changed.',
  ),
  no_result: problem(409, 'No result', 'The request has no result that could be delivered again.'),
  held_output_settled: problem(
    409,
    'Held output settled',
    'The held output was already applied or dismissed.',
  ),
  held_output_not_applicable: problem(
    409,
    'Held output not applicable',
    'The held output reports progress, not a result, so there is nothing to apply.',
  ),
  idempotency_in_progress: problem(
    409,
    'Idempotency-Key in progress',
    'The first request with this Idempotency-Key is still running.',
    RETRYABLE,
  ),
  batch_ended: problem(
    409,
    'Batch ended',
    'The batch takes no more rows: it was canceled, or the rest of it did not come within 24 hours.',
  ),
  locks_caller_out: problem(
    409,
    'Locks the caller out',
    'This change would lock out the key that makes it, so nothing was changed.',
  ),
  another_admin_required: problem(
    409,
    'Another administrator required',
    'You cannot extend your own access while another administrator can do it.',
  ),
  passkeys_need_name: problem(
    409,
    'Passkeys need a name',
    'Browsers make passkeys only for a name, not for an address such as 127.0.0.1; open the console at localhost.',
  ),
  lease_lost: problem(
    409,
    'Lease lost',
    'The lease token is not the current one for this request; nothing was changed.',
  ),
  not_own_result: problem(
    409,
    'Not your own result',
    'The current result of the request is not the caller’s, so the caller cannot correct it; nothing was changed.',
  ),
  too_many_call_backs: problem(
    409,
    'Too many call-backs',
    'The caller has planned 30 call-backs, as many as one may have at once; nothing was changed.',
  ),
  draft_changed: problem(
    409,
    'Draft changed',
    'The draft was saved or discarded elsewhere since it was read; nothing was changed.',
  ),
  request_leased: problem(
    409,
    'Request leased',
    'Someone is working on the request; it can be claimed when its lease has ended.',
    RETRYABLE,
  ),
  request_not_claimable: problem(
    409,
    'Request not claimable',
    'The request waits for another channel than those named, its batch was canceled, or its payer takes no more work at once.',
    RETRYABLE,
  ),
  legal_hold: problem(
    409,
    'Legal hold',
    'A legal hold keeps this data; nothing was erased. The hold has to end first.',
  ),
  another_person_required: problem(
    409,
    'Another person required',
    'One person asks, and another confirms, whom the first neither added nor signed in.',
  ),
  request_erased: problem(
    410,
    'Request erased',
    'The data of this request was erased; its id, times and outcome are still listed.',
  ),
  payload_too_large: problem(413, 'Payload too large', 'The body is larger than the service accepts.'),
  unsupported_content_encoding: problem(
    415,
    'Unsupported content encoding',
    'The body must be sent without a content encoding.',
  ),
  held_capacity_exceeded: problem(
    429,
    'Held outputs at capacity',
    'No more outputs can be held at the moment; try again in a while.',
    RETRYABLE,
  ),
  rate_limited: problem(429, 'Rate limited', 'Too many requests; wait a little and try again.', RETRYABLE),
  header_too_large: problem(
    431,
    'Header too large',
    'The headers of the request are larger than the service accepts.',
  ),
  internal: problem(500, 'Internal error', 'The service failed; its log has the cause.', RETRYABLE),
  unavailable: problem(
    503,
    'Unavailable',
    'The service cannot answer at the moment; try again in a few seconds.',
    RETRYABLE,
  ),
};

/** The code of a problem: its `code`, and the last segment of its `type`. */
export type ProblemCode = keyof typeof rows;

/** Every error of the service except 422. Append-only: codes are never renamed. */
export const PROBLEMS: Readonly<Record<ProblemCode, ProblemFact>> = rows;
