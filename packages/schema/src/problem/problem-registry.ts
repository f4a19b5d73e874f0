/** The tRPC error codes the registry uses. Spelled out, so that this package needs no tRPC. */
export type ProblemTrpcCode =
  | 'BAD_REQUEST'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'METHOD_NOT_SUPPORTED'
  | 'TIMEOUT'
  | 'CONFLICT'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'TOO_MANY_REQUESTS'
  | 'INTERNAL_SERVER_ERROR'
  | 'SERVICE_UNAVAILABLE';

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

const rows = {
  bad_request: {
    status: 400,
    trpcCode: 'BAD_REQUEST',
    retryable: false,
    title: 'Bad request',
    sentence: 'The request could not be understood.',
  },
  idempotency_key_on_batch: {
    status: 400,
    trpcCode: 'BAD_REQUEST',
    retryable: false,
    title: 'Idempotency-Key on a batch',
    sentence: 'The header Idempotency-Key names one call, so it cannot be sent with a batch of calls.',
  },
  unauthorized: {
    status: 401,
    trpcCode: 'UNAUTHORIZED',
    retryable: false,
    title: 'Unauthorized',
    sentence: 'The header x-key must hold a valid API key.',
  },
  signed_out: {
    status: 401,
    trpcCode: 'UNAUTHORIZED',
    retryable: false,
    title: 'Signed out',
    sentence: 'There is no session, or it has ended; sign in again.',
  },
  link_not_valid: {
    status: 401,
    trpcCode: 'UNAUTHORIZED',
    retryable: false,
    title: 'Link not valid',
    sentence: 'The sign-in link is unknown, used, or older than 30 minutes.',
  },
  passkey_refused: {
    status: 401,
    trpcCode: 'UNAUTHORIZED',
    retryable: false,
    title: 'Passkey refused',
    sentence: 'The passkey signs nobody in.',
  },
  cross_site: {
    status: 403,
    trpcCode: 'FORBIDDEN',
    retryable: false,
    title: 'Cross-site',
    sentence: 'The console answers its own pages alone, in JSON, at its own address.',
  },
  forbidden: {
    status: 403,
    trpcCode: 'FORBIDDEN',
    retryable: false,
    title: 'Forbidden',
    sentence: 'The caller lacks the scope that this operation needs.',
  },
  fresh_sign_in_required: {
    status: 403,
    trpcCode: 'FORBIDDEN',
    retryable: false,
    title: 'Fresh sign-in required',
    sentence: 'This needs a sign-in of the last 15 minutes; sign in again and repeat it.',
  },
  person_required: {
    status: 403,
    trpcCode: 'FORBIDDEN',
    retryable: false,
    title: 'Person required',
    sentence: 'Only a person who is signed in to the console has this; a key does not.',
  },
  account_suspended: {
    status: 403,
    trpcCode: 'FORBIDDEN',
    retryable: false,
    title: 'Account suspended',
    sentence: 'The account is suspended; what it had accepted before is still verified and delivered.',
  },
  address_not_allowed: {
    status: 403,
    trpcCode: 'FORBIDDEN',
    retryable: false,
    title: 'Address not allowed',
    sentence: 'The account or its key does not work from this network address.',
  },
  not_found: {
    status: 404,
    trpcCode: 'NOT_FOUND',
    retryable: false,
    title: 'Not found',
    sentence: 'There is nothing at this address.',
  },
  result_not_ready: {
    status: 404,
    trpcCode: 'NOT_FOUND',
    retryable: true,
    title: 'Result not ready',
    sentence: 'The request has no result yet.',
  },
  method_not_allowed: {
    status: 405,
    trpcCode: 'METHOD_NOT_SUPPORTED',
    retryable: false,
    title: 'Method not allowed',
    sentence: 'This address does not answer this method; the header Allow lists those it answers.',
  },
  request_timeout: {
    status: 408,
    trpcCode: 'TIMEOUT',
    retryable: true,
    title: 'Request timeout',
    sentence: 'The request did not arrive in time.',
  },
  request_finished: {
    status: 409,
    trpcCode: 'CONFLICT',
    retryable: false,
    title: 'Request finished',
    sentence: 'The request already has an outcome; nothing was changed.',
  },
  no_result: {
    status: 409,
    trpcCode: 'CONFLICT',
    retryable: false,
    title: 'No result',
    sentence: 'The request has no result that could be delivered again.',
  },
  held_output_settled: {
    status: 409,
    trpcCode: 'CONFLICT',
    retryable: false,
    title: 'Held output settled',
    sentence: 'The held output was already applied or dismissed.',
  },
  held_output_not_applicable: {
    status: 409,
    trpcCode: 'CONFLICT',
    retryable: false,
    title: 'Held output not applicable',
    sentence: 'The held output reports progress, not a result, so there is nothing to apply.',
  },
  idempotency_in_progress: {
    status: 409,
    trpcCode: 'CONFLICT',
    retryable: true,
    title: 'Idempotency-Key in progress',
    sentence: 'The first request with this Idempotency-Key is still running.',
  },
  locks_caller_out: {
    status: 409,
    trpcCode: 'CONFLICT',
    retryable: false,
    title: 'Locks the caller out',
    sentence: 'This would lock out the very key that asks for it, so nothing was changed.',
  },
  passkeys_need_name: {
    status: 409,
    trpcCode: 'CONFLICT',
    retryable: false,
    title: 'Passkeys need a name',
    sentence:
      'Browsers make passkeys for a name alone, not for an address such as 127.0.0.1; open the console at localhost.',
  },
  lease_lost: {
    status: 409,
    trpcCode: 'CONFLICT',
    retryable: false,
    title: 'Lease lost',
    sentence: 'The lease token is not the current one for this request; nothing was changed.',
  },
  draft_changed: {
    status: 409,
    trpcCode: 'CONFLICT',
    retryable: false,
    title: 'Draft changed',
    sentence: 'The draft was saved or discarded elsewhere since it was read; nothing was changed.',
  },
  request_leased: {
    status: 409,
    trpcCode: 'CONFLICT',
    retryable: true,
    title: 'Request leased',
    sentence: 'Someone is working on the request; it can be claimed when its lease has ended.',
  },
  request_not_claimable: {
    status: 409,
    trpcCode: 'CONFLICT',
    retryable: true,
    title: 'Request not claimable',
    sentence:
      'The request waits for another channel than those named, or its payer takes no more work at once.',
  },
  payload_too_large: {
    status: 413,
    trpcCode: 'PAYLOAD_TOO_LARGE',
    retryable: false,
    title: 'Payload too large',
    sentence: 'The body is larger than the service accepts.',
  },
  unsupported_content_encoding: {
    status: 415,
    trpcCode: 'UNSUPPORTED_MEDIA_TYPE',
    retryable: false,
    title: 'Unsupported content encoding',
    sentence: 'The body must be sent without a content encoding.',
  },
  held_capacity_exceeded: {
    status: 429,
    trpcCode: 'TOO_MANY_REQUESTS',
    retryable: true,
    title: 'Held outputs at capacity',
    sentence: 'No more outputs can be held at the moment; try again in a while.',
  },
  rate_limited: {
    status: 429,
    trpcCode: 'TOO_MANY_REQUESTS',
    retryable: true,
    title: 'Rate limited',
    sentence: 'Too many requests; wait a little and try again.',
  },
  header_too_large: {
    status: 431,
    trpcCode: 'BAD_REQUEST',
    retryable: false,
    title: 'Header too large',
    sentence: 'The headers of the request are larger than the service accepts.',
  },
  internal: {
    status: 500,
    trpcCode: 'INTERNAL_SERVER_ERROR',
    retryable: true,
    title: 'Internal error',
    sentence: 'The service failed; its log has the cause.',
  },
  unavailable: {
    status: 503,
    trpcCode: 'SERVICE_UNAVAILABLE',
    retryable: true,
    title: 'Unavailable',
    sentence: 'The service cannot answer at the moment; try again in a few seconds.',
  },
} satisfies Record<string, ProblemFact>;

/** The code of a problem: its `code`, and the last segment of its `type`. */
export type ProblemCode = keyof typeof rows;

/** Every error of the service except 422. Append-only: codes are never renamed. */
export const PROBLEMS: Readonly<Record<ProblemCode, ProblemFact>> = rows;
