import type { ProblemCode, Scope, ValidationError } from '@insurance-verification/schema';

/** What every error knows about the failed call. */
export interface CallFacts {
  /** The operation's name in the router: `requests.create`. */
  readonly operation: string;
  /** The service's address, as given to the client; undefined when no call was made. */
  readonly url?: string | undefined;
  /** The call's Idempotency-Key; undefined for an operation that takes none. */
  readonly idempotencyKey?: string | undefined;
  /** The batch that an answer names as left incomplete; undefined elsewhere. */
  readonly batch?: LeftBatch | undefined;
  /** The underlying error, if any. */
  readonly cause?: unknown;
}

/** An error answer of the service. */
export interface AnswerFacts extends CallFacts {
  readonly status: number;
  /** The problem's registered code; undefined when the answer had none, such as a proxy's. */
  readonly problemCode?: ProblemCode | undefined;
  /** Seconds the service asked to wait, from `Retry-After`; undefined without one. */
  readonly retryAfterSeconds?: number | undefined;
  /** Identifies the occurrence in the service's log; on 5xx. */
  readonly requestTrace?: string | undefined;
  /** The policies whose quota was exceeded; on a 429 for one. */
  readonly violatedPolicies?: readonly string[] | undefined;
  /** The legal hold in the way; on a 409 `legal_hold`. */
  readonly holdId?: string | undefined;
}

/** The batch that a failed `batches.create` left incomplete. Send the mended rows with the same key to resume it. */
export interface LeftBatch {
  readonly batchId: string;
  /** Rows that are stored: the first ones. */
  readonly rowsStored: number;
}

/**
 * The base class of all errors of this package. Branch on the class and its fields; messages are for logs: they name
 * the operation and the service's address, and contain nothing of the request or the answer: no patient's data, no key.
 */
export abstract class InsuranceVerificationError extends Error {
  /** The operation's name in the router: `requests.create`. */
  readonly operation: string;
  /** The service's address, as given to the client; undefined when no call was made, as for a webhook. */
  readonly url: string | undefined;
  /**
   * The Idempotency-Key of a failed `requests.create`. Send the same input with the same key again, now or in an hour:
   * if the request was stored after all, it is not stored twice.
   */
  readonly idempotencyKey: string | undefined;
  /** The batch that a failed `batches.create` left incomplete; undefined elsewhere. */
  readonly batch: LeftBatch | undefined;

  constructor(message: string, { operation, url, idempotencyKey, batch, cause }: CallFacts) {
    const where = url === undefined ? '' : ` at ${url}`;
    super(`${operation}${where}: ${message}`, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.operation = operation;
    this.url = url;
    this.idempotencyKey = idempotencyKey;
    this.batch = batch;
  }
}

/** The input cannot be sent: it is not what the operation takes. No byte of it was sent. */
export class UnusableInputError extends InsuranceVerificationError {
  constructor(why: string, facts: CallFacts) {
    super(`the input cannot be sent: ${why}`, facts);
  }
}

/** 422: the input is invalid. Sending it again unchanged fails again. */
export class ValidationFailedError extends InsuranceVerificationError {
  readonly status = 422;
  /** All faults, one per location, in schema order: `loc`, `msg`, `type`. Never the value. */
  readonly detail: readonly ValidationError[];

  constructor(detail: readonly ValidationError[], facts: CallFacts) {
    super(invalidity(detail), facts);
    this.detail = detail;
  }
}

/** The place and the type of the first fault. */
function invalidity(detail: readonly ValidationError[]): string {
  const [first] = detail;
  if (first?.type === 'idempotency_key_reused') return 'the Idempotency-Key was used with another input';
  if (!first) return 'the input is not valid';
  // The name of a member that is not known is its sender's, and could be anything.
  const place = first.type === 'extra_forbidden' ? [...first.loc.slice(0, -1), ''] : first.loc;
  const faults = `(faults: ${detail.length}; see detail)`;
  return `the input is not valid at ${place.map(asName).join('.')}: ${asName(first.type)} ${faults}`;
}

/** A name of the contract, or a number; anything else could be somebody's data. */
const asName = (part: string | number): string =>
  typeof part === 'number' || /^[a-z][a-z\d_-]{0,63}$/.test(part) ? String(part) : '…';

/** 401: no API key, or one that is unknown, revoked or expired. */
export class UnauthorizedError extends InsuranceVerificationError {
  readonly status = 401;

  constructor(facts: CallFacts) {
    super('the API key is missing or not valid', facts);
  }
}

/** 403: the API key lacks the operation's scope, its account is suspended, or it is not allowed from this address. */
export class ForbiddenError extends InsuranceVerificationError {
  readonly status = 403;
  /**
   * `forbidden`, `account_suspended` or `address_not_allowed`; undefined when the answer had none, such as a proxy's.
   */
  readonly problemCode: ProblemCode | undefined;
  /** Any one of these suffices; empty when the cause is not a missing scope. */
  readonly requiredScopes: readonly Scope[];

  constructor(requiredScopes: readonly Scope[], facts: AnswerFacts) {
    super(forbidding(requiredScopes, facts.problemCode), facts);
    this.problemCode = facts.problemCode;
    this.requiredScopes = requiredScopes;
  }
}

function forbidding(requiredScopes: readonly Scope[], problemCode: ProblemCode | undefined): string {
  if (problemCode === 'account_suspended') return 'the account of the API key is suspended';
  if (problemCode === 'address_not_allowed') return 'the API key does not work from this network address';
  if (problemCode !== 'forbidden') return 'the call is forbidden'; // by a proxy, or for a cause of a later version
  const scopes = requiredScopes.length > 0 ? ` (${requiredScopes.join(' or ')})` : '';
  return `the API key lacks the scope that this operation needs${scopes}`;
}

/** 404: this account has nothing with that id, or the request has no result yet. */
export class NotFoundError extends InsuranceVerificationError {
  readonly status = 404;
  /** `result_not_ready` may pass; `not_found` will not. */
  readonly problemCode: 'not_found' | 'result_not_ready';

  constructor(problemCode: 'not_found' | 'result_not_ready', facts: CallFacts) {
    super(problemCode === 'not_found' ? 'nothing has this id' : 'the request has no result yet', facts);
    this.problemCode = problemCode;
  }
}

/** 409: the current state does not allow the operation. */
export class ConflictError extends InsuranceVerificationError {
  readonly status = 409;
  /** Which conflict: `request_finished`, `no_result`, `held_output_settled`, `idempotency_in_progress`, … */
  readonly problemCode: ProblemCode;
  /** Seconds the service asked to wait; undefined when waiting does not help. */
  readonly retryAfterSeconds: number | undefined;
  /** The legal hold that is in the way, of a `legal_hold`; undefined elsewhere. */
  readonly holdId: string | undefined;

  constructor(problemCode: ProblemCode, facts: AnswerFacts) {
    super(`conflict (${problemCode})`, facts);
    this.holdId = facts.holdId;
    this.problemCode = problemCode;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/** 410: the data of the request was erased. No retry brings it back. */
export class GoneError extends InsuranceVerificationError {
  readonly status = 410;
  readonly problemCode = 'request_erased';

  constructor(facts: CallFacts) {
    super('the data of the request was erased', facts);
  }
}

/** 413: the input is larger than the service accepts. */
export class PayloadTooLargeError extends InsuranceVerificationError {
  readonly status = 413;

  constructor(facts: CallFacts) {
    super('the input is larger than the service accepts', facts);
  }
}

/** 429: too many requests. Nothing was done. */
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

/** 502, 503 or 504: the service cannot answer at the moment. Whether the call took effect is unknown. */
export class UnavailableError extends InsuranceVerificationError {
  readonly status: number;
  /** Seconds the service asked to wait; undefined when it did not say. */
  readonly retryAfterSeconds: number | undefined;
  /** Identifies the occurrence in the service's log; undefined when it did not say. */
  readonly requestTrace: string | undefined;

  constructor(facts: AnswerFacts) {
    super(`the service is unavailable (${facts.status})`, facts);
    this.status = facts.status;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.requestTrace = facts.requestTrace;
  }
}

/**
 * No complete answer within `timeoutMs`, or the input did not reach the service in time (408). Whether the call took
 * effect is unknown.
 */
export class TimeoutError extends InsuranceVerificationError {
  constructor(facts: CallFacts) {
    super('no answer in time', facts);
  }
}

/** The connection failed or broke before the complete answer arrived. Whether the call took effect is unknown. */
export class ConnectionError extends InsuranceVerificationError {
  /**
   * The system's or TLS's error code: `ECONNREFUSED`, `ENOTFOUND`, `CERT_HAS_EXPIRED`; undefined when the runtime does
   * not expose it, as in browsers.
   */
  readonly causeCode: string | undefined;

  constructor(facts: CallFacts) {
    const code = codeOf(facts.cause);
    super(`the connection failed${code ? ` (${code})` : ''}`, facts);
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

/** An answer that no other class covers: an internal error (500), a redirect, an answer that is not this service's. */
export class UnexpectedAnswerError extends InsuranceVerificationError {
  /** The HTTP status; 0 for a redirect in a browser, which hides it. */
  readonly status: number;
  /** The problem's registered code; undefined when the answer had none. */
  readonly problemCode: ProblemCode | undefined;
  /** Identifies the occurrence in the service's log; undefined when it did not say. */
  readonly requestTrace: string | undefined;

  constructor(facts: AnswerFacts) {
    super(`unexpected answer (${facts.status}${facts.problemCode ? `, ${facts.problemCode}` : ''})`, facts);
    this.status = facts.status;
    this.problemCode = facts.problemCode;
    this.requestTrace = facts.requestTrace;
  }
}

/** A webhook signed by the service whose body is not a result, or an event, that this receiver can read. */
export class WebhookContentError extends InsuranceVerificationError {
  /** The faults, in the form of a 422: `loc`, `msg`, `type`. Never the value. */
  readonly detail: readonly ValidationError[];

  constructor(
    detail: readonly ValidationError[],
    operation: 'verificationResult' | 'event' = 'verificationResult',
  ) {
    const expected = operation === 'event' ? 'an event' : 'a result';
    super(`the body is not ${expected} (faults: ${detail.length}; see detail)`, { operation });
    this.detail = detail;
  }
}
