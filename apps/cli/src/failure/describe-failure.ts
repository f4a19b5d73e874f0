import {
  ConflictError,
  ConnectionError,
  ForbiddenError,
  GoneError,
  NotFoundError,
  TimeoutError,
  TooManyRequestsError,
  UnauthorizedError,
  UnavailableError,
  UnexpectedAnswerError,
  ValidationFailedError,
} from '@insurance-verification/client';
import { escapeHidden, PROBLEMS } from '@insurance-verification/schema';
import { nameService, rightExample } from '../example.ts';
import { CommandFailedError, OpenEndedError, RowsRejectedError, WrongUsageError } from './failure.ts';

/** The outcome of a failed command: a message for stderr, and 1 (the operation failed), 2 (wrong usage) or 3 (done in part). */
export interface Failure {
  readonly message: string;
  readonly exitCode: 1 | 2 | 3;
}

/** The command's circumstances when it failed. */
export interface FailureFacts {
  readonly url: string;
  /** The key's origin; never the key. */
  readonly keySource: string;
  readonly example: string;
  /** The command and its arguments, as typed. */
  readonly words: string;
}

/** States what failed, what was expected, what came instead, and a correct example. */
export function describeFailure(err: unknown, facts: FailureFacts): Failure {
  if (err instanceof WrongUsageError) return { message: err.message, exitCode: 2 };
  if (err instanceof OpenEndedError || err instanceof RowsRejectedError)
    return { message: err.message, exitCode: 3 };
  if (err instanceof ValidationFailedError) return { message: describeFaults(err, facts), exitCode: 2 };
  return { message: describe(err, facts), exitCode: 1 };
}

function describe(err: unknown, { url, keySource, words }: FailureFacts): string {
  const service = `The service at ${withoutUser(url)}`;
  if (err instanceof CommandFailedError) return err.message;
  if (err instanceof ConnectionError) {
    return (
      `${service} cannot be reached (${reasonOf(err)}). Expected a running service there.\n` +
      nameService('another', words)
    );
  }
  if (err instanceof UnauthorizedError) {
    return (
      `${service} refused the API key (401). Expected a live key; the one from ${keySource} is unknown there, revoked or expired.\n` +
      rightExample(`IV_API_KEY_FILE=/run/secrets/iv-api-key ${words}`)
    );
  }
  if (err instanceof ForbiddenError && err.problemCode === 'address_not_allowed') {
    return (
      `${service} refused ${err.operation} (403): the API key from ${keySource} does not work from the address of this machine.\n` +
      'Its own networks, or those of its account, leave this one out. Run it where the key works, or ask an administrator:\n' +
      '`iv accounts limits acct_…` shows the networks of the account; --allow-from there takes the place of all of them.'
    );
  }
  if (err instanceof ForbiddenError) {
    return describeForbidden(err, `${service} refused ${err.operation} (403): the API key from ${keySource}`);
  }
  if (err instanceof NotFoundError)
    return `${service} answered ${err.operation}: ${PROBLEMS[err.problemCode].sentence} (404)`;
  if (err instanceof ConflictError) {
    const hold = err.holdId === undefined ? '' : ` It is ${escapeHidden(err.holdId)}.`;
    const wait = err.retryAfterSeconds === undefined ? '' : later(err);
    return `${service} refused ${err.operation}: ${PROBLEMS[err.problemCode].sentence}${hold} (409)${wait}`;
  }
  if (err instanceof GoneError)
    return `${service} answered ${err.operation}: ${PROBLEMS[err.problemCode].sentence} (410)`;
  if (err instanceof TooManyRequestsError) {
    const policies = err.violatedPolicies ? `, ${err.violatedPolicies.map(escapeHidden).join(', ')}` : '';
    return `${service} takes no more of ${err.operation} now (429${policies}).${later(err)}`;
  }
  if (err instanceof UnavailableError) {
    return `${service} cannot answer at the moment (${err.status}).${later(err)}${trace(err)}`;
  }
  if (err instanceof TimeoutError)
    return `${service} did not answer ${err.operation} in time. Whether it took effect is not known.`;
  if (err instanceof UnexpectedAnswerError) {
    return (
      `${service} answered ${err.operation} with ${err.status}${err.problemCode ? ` (${err.problemCode})` : ''}, which no such service means as an answer.${trace(err)}\n` +
      'Is IV_URL the address of an Insurance Verification Service? Expected for example: IV_URL=http://127.0.0.1:3000'
    );
  }
  return err instanceof Error ? `${err.name}: ${escapeHidden(err.message)}` : escapeHidden(String(err));
}

/** The problem lists the sufficient scopes; the first one is the narrowest. */
function describeForbidden({ problemCode, requiredScopes }: ForbiddenError, refused: string): string {
  if (problemCode === 'account_suspended')
    return `${refused} is of a suspended account.\nAn administrator lets it work again: iv accounts resume acct_…`;
  return (
    `${refused} lacks the scope it needs${requiredScopes.length > 0 ? `: ${requiredScopes.join(' or ')}` : ''}.\n` +
    `An administrator makes one that has it: iv keys create --account acct_… --scope ${requiredScopes[0] ?? '…'}`
  );
}

function describeFaults({ operation, detail }: ValidationFailedError, { example }: FailureFacts): string {
  const faults = detail.map(
    ({ loc, msg, type }) => `  ${escapeHidden(loc.join('.'))}: ${escapeHidden(msg)} (${escapeHidden(type)})`,
  );
  return [`The input of ${operation} is not valid (422):`, ...faults, rightExample(example)].join('\n');
}

/** The system's error code, such as `ECONNREFUSED`: a failed fetch nests it one or two causes deep. */
function reasonOf(err: Error): string {
  const { code } = err as NodeJS.ErrnoException;
  if (typeof code === 'string') return code;
  return err.cause instanceof Error ? reasonOf(err.cause) : escapeHidden(err.message);
}

function later({ retryAfterSeconds }: { retryAfterSeconds: number | undefined }): string {
  return retryAfterSeconds === undefined ? ' Try again later.' : ` Try again in ${retryAfterSeconds} s.`;
}

function trace({ requestTrace }: { requestTrace: string | undefined }): string {
  return requestTrace === undefined ? '' : ` The service's log has it under ${escapeHidden(requestTrace)}.`;
}

/** An address may contain a password. */
function withoutUser(url: string): string {
  return escapeHidden(url.replace(/\/\/[^/]*@/, '//'));
}
