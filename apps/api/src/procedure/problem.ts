import {
  type HeldLease,
  NOTHING_HERE,
  type Problem,
  type ProblemCode,
  problemOf,
  PROBLEMS,
  type Scope,
  type SignInRefusal,
  type ValidationError,
} from '@insurance-verification/schema';
import { isDatabaseUnavailable, type NotSecond } from '@insurance-verification/store';
import { shortageOf } from '@insurance-verification/webhook';
import { TRPCError } from '@trpc/server';

/** Seconds a caller is asked to wait after a transient error. */
const RETRY_AFTER_SECONDS = {
  unavailable: 2,
  idempotency_in_progress: 1,
  held_capacity_exceeded: 3600,
} as const;

/** What a 401 asks for (RFC 9110, 15.5.2). The scheme is no registered one, so that no browser opens a window for it. */
const CHALLENGE = 'ApiKey realm="insurance-verification", header="x-key"';

/** The batch that a call leaves incomplete. */
export interface LeftBatch {
  readonly batchId: string;
  /** Rows that are stored: 1 to this one. */
  readonly storedCount: number;
}

interface ProblemOptions {
  /** In place of the registry's sentence. */
  readonly detail?: string;
  readonly headers?: Record<string, string>;
  readonly requiredScopes?: readonly Scope[];
  readonly violatedPolicies?: readonly string[];
  readonly refusal?: SignInRefusal;
  readonly lease?: HeldLease | undefined;
  readonly holdId?: string;
  readonly because?: NotSecond;
  readonly batch?: LeftBatch;
  readonly cause?: unknown;
}

/** An error of the registry, for a caller whose call cannot be fulfilled. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  readonly headers: Readonly<Record<string, string>>;
  /** For `forbidden`: any one of these would do. */
  readonly requiredScopes: readonly Scope[] | undefined;
  /** The policies whose quota was exceeded; undefined without any. */
  readonly violatedPolicies: readonly string[] | undefined;
  /** For `passkey_refused`: why; undefined elsewhere. */
  readonly refusal: SignInRefusal | undefined;
  /** For `request_leased`: who works on it; undefined elsewhere. */
  readonly lease: HeldLease | undefined;
  /** For `legal_hold`: which; undefined elsewhere. */
  readonly holdId: string | undefined;
  /** For `another_person_required`: why; undefined elsewhere. */
  readonly because: NotSecond | undefined;
  /** The batch that the call leaves incomplete; undefined elsewhere. */
  readonly batch: LeftBatch | undefined;
  readonly #options: ProblemOptions;

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    const { detail, requiredScopes, refusal } = options;
    const members = {
      ...(detail !== undefined && { detail }),
      ...(requiredScopes && { required_scopes: [...requiredScopes] }),
      ...(refusal && { refusal }),
    };
    super(problemOf(code, members).detail, { cause: options.cause });
    this.code = code;
    this.#options = options;
    this.batch = options.batch;
    this.refusal = refusal;
    this.lease = options.lease;
    this.holdId = options.holdId;
    this.because = options.because;
    this.requiredScopes = options.requiredScopes;
    this.violatedPolicies = options.violatedPolicies;
    const retryAfter = (RETRY_AFTER_SECONDS as Partial<Record<ProblemCode, number>>)[code];
    this.headers = {
      ...(PROBLEMS[code].status === 401 && { 'www-authenticate': CHALLENGE }),
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...options.headers,
    };
  }

  /** This error with more options. */
  with(options: ProblemOptions): ProblemError {
    return new ProblemError(this.code, { ...this.#options, cause: this.cause, ...options });
  }
}

/** An address that does not exist here. */
export const nothingHere = (): ProblemError => new ProblemError('not_found', { detail: NOTHING_HERE });

/**
 * The problem's body, the same over both transports.
 * @param trace identifies the call in the log; included on 5xx only.
 */
export function problemBody(err: ProblemError, trace: string | undefined): Problem {
  const { code, requiredScopes, violatedPolicies, refusal, lease, holdId, because, batch } = err;
  return problemOf(code, {
    detail: err.message,
    ...(refusal && { refusal }),
    ...(lease && { lease }),
    ...(holdId !== undefined && { hold_id: holdId }),
    ...(because && { because }),
    ...(batch && batchMembers(batch)),
    ...(violatedPolicies && { violated_policies: [...violatedPolicies] }),
    ...(requiredScopes && { required_scopes: [...requiredScopes] }),
    ...(trace !== undefined && PROBLEMS[code].status >= 500 && { request_trace: trace }),
  });
}

const batchMembers = ({ batchId, storedCount }: LeftBatch) => ({
  batch_id: batchId,
  rows_stored: storedCount,
});

/** A 422: `{ detail }`, and the batch that it leaves incomplete. */
export class ValidationFailedError extends Error {
  override readonly name = 'ValidationFailedError';
  readonly detail: readonly ValidationError[];
  /** Null where no batch has begun. */
  readonly batch: LeftBatch | null;

  constructor(detail: readonly ValidationError[], batch: LeftBatch | null = null) {
    super('The request is not valid.');
    this.detail = detail;
    this.batch = batch;
  }

  /** The body of the answer. */
  get body(): { readonly detail: readonly ValidationError[]; readonly batch_id?: string } {
    return { detail: this.detail, ...(this.batch && batchMembers(this.batch)) };
  }
}

export type PublicError = ProblemError | ValidationFailedError;

/** What a caller may see of any error. The text is ours, never the driver's; `internal` keeps the cause for the log. */
export function toPublicError(err: unknown): PublicError {
  if (err instanceof ProblemError || err instanceof ValidationFailedError) return err;
  // Unwrap before checking the causes: a client's broken connection does not mean that the database is away.
  if (err instanceof TRPCError) return ofTrpc(err);
  if (isDatabaseUnavailable(err) || shortageOf(err) !== null)
    return new ProblemError('unavailable', { cause: err });
  return new ProblemError('internal', { cause: err });
}

/** Errors that tRPC itself raises, or wraps around ours. */
function ofTrpc(err: TRPCError): PublicError {
  if (err.cause !== undefined) {
    const cause = toPublicError(err.cause);
    if (!(cause instanceof ProblemError && cause.code === 'internal')) return cause;
  }
  switch (err.code) {
    case 'NOT_FOUND':
      return nothingHere();
    case 'METHOD_NOT_SUPPORTED':
      return new ProblemError('method_not_allowed');
    case 'BAD_REQUEST':
      // The transport reads bodies; tRPC itself parses only a query's `input`, and gives no position.
      return err.cause instanceof SyntaxError
        ? new ValidationFailedError([
            { loc: ['query', 'input'], msg: 'JSON decode error', type: 'json_invalid' },
          ])
        : new ProblemError('bad_request');
    default:
      return new ProblemError('internal', { cause: err });
  }
}

/** Our error as tRPC carries it; its formatter puts the rest on the wire. */
export function toTrpcError(err: PublicError): TRPCError {
  const code = err instanceof ProblemError ? PROBLEMS[err.code].trpcCode : 'UNPROCESSABLE_CONTENT';
  return new TRPCError({ code, message: err.message, cause: err });
}
