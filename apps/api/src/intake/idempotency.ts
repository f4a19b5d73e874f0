import { ValidationFailedError } from '../procedure/problem/problem.ts';

const loc = ['header', 'idempotency-key'];

/** The validated header; null when it was not sent. @throws {ValidationFailedError} */
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
