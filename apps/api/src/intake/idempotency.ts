import type { Caller } from '@insurance-verification/store';
import { ProblemError, ValidationFailedError } from '../problem.ts';

const loc = ['header', 'idempotency-key'];

/** The header's value, checked; null when it was not sent. @throws {ValidationFailedError} */
export function readIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (/^[\x20-\x7e]{1,255}$/.test(header)) return header;
  throw new ValidationFailedError([
    { loc, msg: 'Value should be 1 to 255 printable characters', type: 'string_pattern_mismatch' },
  ]);
}

/** The key was used with another body. */
export function idempotencyKeyReused(): ValidationFailedError {
  return new ValidationFailedError([
    { loc, msg: 'This Idempotency-Key was used with another body', type: 'idempotency_key_reused' },
  ]);
}

/**
 * Runs `work` unless a call with the same account and key runs in this process. A rival in another process is waited
 * for by the database instead, which then replays its answer.
 * @throws {ProblemError} `idempotency_in_progress`
 */
export async function whileKeyIsFree<T>(
  running: Set<string>,
  caller: Caller,
  key: string | null,
  work: () => Promise<T>,
): Promise<T> {
  if (key === null) return work();
  const name = `${caller.accountId} ${key}`;
  if (running.has(name)) throw new ProblemError('idempotency_in_progress');
  running.add(name);
  try {
    return await work();
  } finally {
    running.delete(name);
  }
}
