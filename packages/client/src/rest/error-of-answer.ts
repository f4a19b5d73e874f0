import {
  HTTPValidationError,
  Problem,
  PROBLEMS,
  type ProblemCode,
  Scope,
} from '@insurance-verification/schema';
import {
  type AnswerFacts,
  ConflictError,
  ForbiddenError,
  GoneError,
  type InsuranceVerificationError,
  type LeftBatch,
  NotFoundError,
  PayloadTooLargeError,
  TimeoutError,
  TooManyRequestsError,
  UnauthorizedError,
  UnavailableError,
  UnexpectedAnswerError,
  ValidationFailedError,
} from '../errors.ts';
import type { Call } from './call.ts';
import { parseRetryAfter } from './parse-retry-after.ts';

/**
 * The error for an answer. 404, 409, 410 and 422 count only with the service's own body: a wrong address also answers 404,
 * which does not mean that a request is unknown. The other statuses mean the same from any server.
 *
 * @param answer the body as JSON; undefined when it is not JSON.
 */
export function errorOfAnswer(
  res: Response,
  answer: unknown,
  { operation, url, idempotencyKey }: Pick<Call, 'operation' | 'idempotencyKey'> & { readonly url: string },
): InsuranceVerificationError {
  const problemCode = problemCodeOf(answer);
  const facts: AnswerFacts = {
    operation,
    url,
    idempotencyKey,
    status: res.status,
    problemCode,
    retryAfterSeconds: parseRetryAfter(res.headers.get('retry-after')),
    holdId: textOf(answer, 'hold_id'),
    requestTrace: textOf(answer, 'request_trace'),
    batch: batchOf(answer),
    violatedPolicies: Problem.shape.violated_policies.safeParse(fieldOf(answer, 'violated_policies')).data,
  };
  switch (res.status) {
    case 401:
      return new UnauthorizedError(facts);
    case 403:
      return new ForbiddenError(scopesOf(answer), facts);
    case 404:
      if (problemCode === 'not_found' || problemCode === 'result_not_ready')
        return new NotFoundError(problemCode, facts);
      break;
    case 408:
      return new TimeoutError(facts);
    case 409:
      if (problemCode !== undefined) return new ConflictError(problemCode, facts);
      break;
    case 410:
      if (problemCode === 'request_erased') return new GoneError(facts);
      break;
    case 413:
      return new PayloadTooLargeError(facts);
    case 422: {
      const detail = HTTPValidationError.safeParse(answer).data?.detail;
      if (detail) return new ValidationFailedError(detail, facts);
      break;
    }
    case 429:
      return new TooManyRequestsError(facts);
    case 502:
    case 503:
    case 504:
      return new UnavailableError(facts);
  }
  return new UnexpectedAnswerError(facts);
}

/** The prefix of `type` from a service that does not send `code` yet. */
const EARLIER_TYPE_PREFIX = 'urn:insurance-verification:problem:';

function problemCodeOf(answer: unknown): ProblemCode | undefined {
  const type = textOf(answer, 'type');
  const earlier = type?.startsWith(EARLIER_TYPE_PREFIX) ? type.slice(EARLIER_TYPE_PREFIX.length) : undefined;
  const code = textOf(answer, 'code') ?? earlier;
  return code !== undefined && Object.hasOwn(PROBLEMS, code) ? (code as ProblemCode) : undefined;
}

/** The scopes that this package knows: a later version of the service may name others. */
function scopesOf(answer: unknown): Scope[] {
  const { required_scopes: given } = Object(answer) as { required_scopes?: unknown };
  return Array.isArray(given) ? given.flatMap((text) => Scope.safeParse(text).data ?? []) : [];
}

function batchOf(answer: unknown): LeftBatch | undefined {
  const batchId = textOf(answer, 'batch_id');
  const rowsStored = fieldOf(answer, 'rows_stored');
  return batchId !== undefined && typeof rowsStored === 'number' ? { batchId, rowsStored } : undefined;
}

function textOf(answer: unknown, name: string): string | undefined {
  const value = fieldOf(answer, name);
  return typeof value === 'string' ? value : undefined;
}

function fieldOf(answer: unknown, name: string): unknown {
  if (typeof answer !== 'object' || answer === null || !Object.hasOwn(answer, name)) return undefined;
  return (answer as Record<string, unknown>)[name];
}
