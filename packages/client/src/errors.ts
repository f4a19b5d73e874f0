import type { ProblemCode, Scope, ValidationError } from '@insurance-verification/schema';

/** What every error knows of the call it ended. */
export interface CallFacts {
  /** The operation as the router names it: `requests.create`. */
  readonly operation: string;
  /** The service's address, as the client was made with; undefined for what no call was made for. */
  readonly url?: string | undefined;
  /** The Idempotency-Key the call was sent with; undefined for one that takes none. */
  readonly idempotencyKey?: string | undefined;
  /** What was thrown beneath, where something was. */
  readonly cause?: unknown;
}

/** An answer of the service that is no success. */
export interface AnswerFacts extends CallFacts {
  readonly status: number;
  /** The registered code of the problem; undefined when the answer named none, as a proxy's does. */
  readonly problemCode?: ProblemCode | undefined;
  /** Seconds the service asked to wait, from `Retry-After`; undefined without one. */
  readonly retryAfterSeconds?: number | undefined;
  /** Names the occurrence in the service's log; on 5xx. */
  readonly requestTrace?: string | undefined;
  /** The policies whose quota was exceeded; on a 429 of one. */
  readonly violatedPolicies?: readonly string[] | undefined;
}

/**
 * Every error of this package. Branch on the class and its fields; messages are for logs: they name the operation
 * and the service's address, and hold nothing of the request or the answer: no patient's data, no key.
 */
export abstract class InsuranceVerificationError extends Error {
  /** The operation as the router names it: `requests.create`. */
  readonly operation: string;
  /** The service's address, as the client was made with; undefined for what no call was made for, as a webhook's. */
  readonly url: string | undefined;
  /**
   * The Idempotency-Key of a `requests.create` that failed. Send the same input with the same key again, now or in an
   * hour: a request that was stored after all is not stored twice.
   */
  readonly idempotencyKey: string | undefined;

  constructor(message: string, { operation, url, idempotencyKey, cause }: CallFacts) {
    super(`${operation}: ${message}`, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.operation = operation;
    this.url = url;
    this.idempotencyKey = idempotencyKey;
  }
}

const at = ({ url }: CallFacts) => (url ? ` at ${url}` : '');
const from = ({ url }: CallFacts) => (url ? ` from ${url}` : '');

/** 422: the input is not valid. Sending it again unchanged fails again. */
export class ValidationFailedError extends InsuranceVerificationError {
  readonly status = 422;
  /** All faults, one per location, in the order of the schema: `loc`, `msg`, `type`. Never the value. */
  readonly detail: readonly ValidationError[];

  constructor(detail: readonly ValidationError[], facts: CallFacts) {
    super(`the input is not valid (faults: ${detail.length}; see detail)`, facts);
    this.detail = detail;
  }
}

/** 401: no API key, or one that is unknown, revoked or expired. */
export class UnauthorizedError extends InsuranceVerificationError {
  readonly status = 401;

  constructor(facts: CallFacts) {
    super('the API key is missing or not valid', facts);
  }
}

/** 403: the API key lacks the scope that the operation needs, its account is suspended, or it does not work from this address. */
export class ForbiddenError extends InsuranceVerificationError {
  readonly status = 403;
  /** `forbidden`, `account_suspended` or `address_not_allowed`; undefined when the answer named none, as a proxy's does. */
  readonly problemCode: ProblemCode | undefined;
  /** Any one of these would do; empty where a scope is not what it lacks. */
  readonly requiredScopes: readonly Scope[];

  constructor(requiredScopes: readonly Scope[], facts: AnswerFacts) {
    super(forbidding(requiredScopes, facts.problemCode), facts);
    this.problemCode = facts.problemCode;
    this.requiredScopes = requiredScopes;
  }
}

function forbidding(requiredScopes: readonly Scope[], problemCode: ProblemCode | undefined): string {
  if (problemCode === 'account_suspended') return 'the account of the API key is suspended';
  const scopes = requiredScopes.length > 0 ? ` (${requiredScopes.join(' or ')})` : '';
  return `the API key lacks the scope that this operation needs${scopes}`;
}

/** 404: nothing of this account has that id, or the request has no result yet. */
export class NotFoundError extends InsuranceVerificationError {
  readonly status = 404;
  /** `result_not_ready` may pass; `not_found` does not. */
  readonly problemCode: 'not_found' | 'result_not_ready';

  constructor(problemCode: 'not_found' | 'result_not_ready', facts: CallFacts) {
    super(problemCode === 'not_found' ? 'nothing has this id' : 'the request has no result yet', facts);
    this.problemCode = problemCode;
  }
}

/** 409: the thing is not in a state that allows the operation. */
export class ConflictError extends InsuranceVerificationError {
  readonly status = 409;
  /** Which conflict: `request_finished`, `no_result`, `held_output_settled`, `idempotency_in_progress`, … */
  readonly problemCode: ProblemCode;
  /** Seconds the service asked to wait; undefined where waiting does not help. */
  readonly retryAfterSeconds: number | undefined;

  constructor(problemCode: ProblemCode, facts: AnswerFacts) {
    super(`conflict (${problemCode})`, facts);
    this.problemCode = problemCode;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/** 413: the input is larger than the service accepts. */
export class PayloadTooLargeError extends InsuranceVerificationError {
  readonly status = 413;

  constructor(facts: CallFacts) {
    super('the input is larger than the service accepts', facts);
  }
}

/** 429: too much at once. Nothing was done. */
export class TooManyRequestsError extends InsuranceVerificationError {
  readonly status = 429;
  /** Seconds the service asked to wait; undefined when it did not say. */
  readonly retryAfterSeconds: number | undefined;
  /** The policies whose quota was exceeded, such as `intake`; undefined when the service named none. */
  readonly violatedPolicies: readonly string[] | undefined;

  constructor(facts: AnswerFacts) {
    super('too many requests', facts);
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.violatedPolicies = facts.violatedPolicies;
  }
}

/** 502, 503 or 504: the service cannot answer at the moment. Whether the call took effect is not known. */
export class UnavailableError extends InsuranceVerificationError {
  readonly status: number;
  /** Seconds the service asked to wait; undefined when it did not say. */
  readonly retryAfterSeconds: number | undefined;
  /** Names the occurrence in the service's log; undefined when it did not say. */
  readonly requestTrace: string | undefined;

  constructor(facts: AnswerFacts) {
    super(`the service${at(facts)} is unavailable (${facts.status})`, facts);
    this.status = facts.status;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.requestTrace = facts.requestTrace;
  }
}

/** No whole answer within `timeoutMs`, or the input did not reach the service in time (408). Whether it took effect is not known. */
export class TimeoutError extends InsuranceVerificationError {
  constructor(facts: CallFacts) {
    super(`no answer${from(facts)} in time`, facts);
  }
}

/** The connection could not be made, or broke before the whole answer came. Whether the call took effect is not known. */
export class ConnectionError extends InsuranceVerificationError {
  /**
   * Why, in the words of the system or of TLS: `ECONNREFUSED`, `ENOTFOUND`, `CERT_HAS_EXPIRED`; undefined where the
   * runtime does not tell, as browsers do not.
   */
  readonly causeCode: string | undefined;

  constructor(facts: CallFacts) {
    const code = codeOf(facts.cause);
    super(`the connection${facts.url ? ` to ${facts.url}` : ''} failed${code ? ` (${code})` : ''}`, facts);
    this.causeCode = code;
  }
}

/** The first code in the chain of causes: `fetch` wraps the socket's error once or twice. */
function codeOf(err: unknown): string | undefined {
  for (let link = err, depth = 0; link instanceof Error && depth < 5; depth++) {
    if ('code' in link && typeof link.code === 'string') return link.code;
    link = link instanceof AggregateError ? link.errors[0] : link.cause;
  }
  return undefined;
}

/** An answer no other class names: an internal error (500), a redirect, an answer that is not this service's. */
export class UnexpectedAnswerError extends InsuranceVerificationError {
  /** The HTTP status; 0 for a redirect in a browser, which does not show it. */
  readonly status: number;
  /** The registered code of the problem; undefined when the answer named none. */
  readonly problemCode: ProblemCode | undefined;
  /** Names the occurrence in the service's log; undefined when it did not say. */
  readonly requestTrace: string | undefined;

  constructor(facts: AnswerFacts) {
    super(
      `unexpected answer${from(facts)} (${facts.status}${facts.problemCode ? `, ${facts.problemCode}` : ''})`,
      facts,
    );
    this.status = facts.status;
    this.problemCode = facts.problemCode;
    this.requestTrace = facts.requestTrace;
  }
}

/** A webhook that is signed by the service, but whose body is not a result this receiver can read. */
export class WebhookContentError extends InsuranceVerificationError {
  /** What is wrong, as a 422 would tell it: `loc`, `msg`, `type`. Never the value. */
  readonly detail: readonly ValidationError[];

  constructor(detail: readonly ValidationError[], options?: ErrorOptions) {
    super(`the body is not a result (faults: ${detail.length}; see detail)`, {
      operation: 'verificationResult',
      ...options,
    });
    this.detail = detail;
  }
}
