import { ProblemError } from './problem.ts';

/** What was found. @throws {ProblemError} `not_found`, the same for what is absent, malformed or another account's. */
export function found<T>(value: T | null): T {
  if (value === null) throw new ProblemError('not_found');
  return value;
}
