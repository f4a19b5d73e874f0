import type { Problem } from './problem.ts';

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

/** What is known about a problem. */
export interface ProblemFact {
  /** The HTTP status. */
  readonly status: number;
  /** The code of the same error through the tRPC door. */
  readonly trpcCode: ProblemTrpcCode;
  /** Whether the same call, sent again later without a change, may succeed. */
  readonly retryable: boolean;
  /** RFC 9457 `title`. */
  readonly title: string;
  /** RFC 9457 `detail`. */
  readonly sentence: string;
}

function row(
  status: number,
  trpcCode: ProblemTrpcCode,
  retryable: boolean,
  title: string,
  sentence: string,
): ProblemFact {
  return { status, trpcCode, retryable, title, sentence };
}

/** Every error the service answers besides 422. Closed: codes are never renamed. */
export const PROBLEMS = {
  bad_request: row(400, 'BAD_REQUEST', false, 'Bad request', 'The request could not be understood.'),
  idempotency_key_on_batch: row(
    400,
    'BAD_REQUEST',
    false,
    'Idempotency-Key on a batch',
    'The header Idempotency-Key names one call, so it cannot be sent with a batch of calls.',
  ),
  unauthorized: row(
    401,
    'UNAUTHORIZED',
    false,
    'Unauthorized',
    'The header x-key must hold a valid API key.',
  ),
  forbidden: row(
    403,
    'FORBIDDEN',
    false,
    'Forbidden',
    'The API key lacks the scope that this operation needs.',
  ),
  account_suspended: row(
    403,
    'FORBIDDEN',
    false,
    'Account suspended',
    'The account of the API key is suspended; what it had accepted before is still verified and delivered.',
  ),
  address_not_allowed: row(
    403,
    'FORBIDDEN',
    false,
    'Address not allowed',
    'The API key does not work from this network address.',
  ),
  not_found: row(404, 'NOT_FOUND', false, 'Not found', 'There is nothing at this address.'),
  result_not_ready: row(404, 'NOT_FOUND', true, 'Result not ready', 'The request has no result yet.'),
  method_not_allowed: row(
    405,
    'METHOD_NOT_SUPPORTED',
    false,
    'Method not allowed',
    'This address does not answer this method; the header Allow lists those it answers.',
  ),
  request_timeout: row(408, 'TIMEOUT', true, 'Request timeout', 'The request did not arrive in time.'),
  request_finished: row(
    409,
    'CONFLICT',
    false,
    'Request finished',
    'The request already has an outcome; nothing was changed.',
  ),
  no_result: row(
    409,
    'CONFLICT',
    false,
    'No result',
    'The request has no result that could be delivered again.',
  ),
  held_output_settled: row(
    409,
    'CONFLICT',
    false,
    'Held output settled',
    'The held output was already applied or dismissed.',
  ),
  held_output_not_applicable: row(
    409,
    'CONFLICT',
    false,
    'Held output not applicable',
    'The held output reports progress, not a result, so there is nothing to apply.',
  ),
  idempotency_in_progress: row(
    409,
    'CONFLICT',
    true,
    'Idempotency-Key in progress',
    'The first request with this Idempotency-Key is still running.',
  ),
  locks_caller_out: row(
    409,
    'CONFLICT',
    false,
    'Locks the caller out',
    'This would lock out the very key that asks for it, so nothing was changed.',
  ),
  lease_lost: row(
    409,
    'CONFLICT',
    false,
    'Lease lost',
    'The lease token is not the current one for this request; nothing was changed.',
  ),
  request_leased: row(
    409,
    'CONFLICT',
    true,
    'Request leased',
    'Someone is working on the request; it can be claimed when its lease has ended.',
  ),
  request_not_claimable: row(
    409,
    'CONFLICT',
    true,
    'Request not claimable',
    'The request waits for another channel than those named, or its payer takes no more work at once.',
  ),
  payload_too_large: row(
    413,
    'PAYLOAD_TOO_LARGE',
    false,
    'Payload too large',
    'The body is larger than the service accepts.',
  ),
  unsupported_content_encoding: row(
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    false,
    'Unsupported content encoding',
    'The body must be sent without a content encoding.',
  ),
  held_capacity_exceeded: row(
    429,
    'TOO_MANY_REQUESTS',
    true,
    'Held outputs at capacity',
    'No more outputs can be held at the moment; the header Retry-After tells when to try again.',
  ),
  rate_limited: row(
    429,
    'TOO_MANY_REQUESTS',
    true,
    'Rate limited',
    'Too many requests; the header Retry-After tells when to try again.',
  ),
  header_too_large: row(
    431,
    'BAD_REQUEST',
    false,
    'Header too large',
    'The headers of the request are larger than the service accepts.',
  ),
  internal: row(
    500,
    'INTERNAL_SERVER_ERROR',
    true,
    'Internal error',
    'The service failed; request_trace names the occurrence in its log.',
  ),
  unavailable: row(
    503,
    'SERVICE_UNAVAILABLE',
    true,
    'Unavailable',
    'The service cannot answer at the moment; the header Retry-After tells when to try again.',
  ),
} as const satisfies Record<string, ProblemFact>;

/** The code of a problem: its `code`, and the last part of its `type`. */
export type ProblemCode = keyof typeof PROBLEMS;

/**
 * The RFC 9457 `type` of a problem: the path, on the service that answered, of the page that explains it. Relative, so
 * that it is the same text wherever the service runs, and complete from the root, as section 3.1.1 asks of such a one.
 */
export function problemType(code: ProblemCode): string {
  return `/docs/problems/${code}`;
}

/** What a problem tells beside its registry entry. */
export type ProblemMembers = Omit<Problem, 'type' | 'title' | 'status' | 'detail' | 'code'>;

/**
 * The body of a problem. `request_trace` names the occurrence in the log and is given on 5xx only; `required_scopes` are
 * named in the sentence too.
 */
export function problemOf(code: ProblemCode, members: ProblemMembers = {}): Problem {
  const { title, status, sentence } = PROBLEMS[code];
  const scopes = members.required_scopes;
  const detail = scopes ? `${sentence.slice(0, -1)}: ${scopes.join(' or ')}.` : sentence;
  return { type: problemType(code), title, status, detail, code, ...members };
}
