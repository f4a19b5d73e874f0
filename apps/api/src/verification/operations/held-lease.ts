import { ProblemError } from '../../procedure/problem/problem.ts';

type Refusal = 'not_found' | 'lease_lost';

/** What a leased operation came to. @throws {ProblemError} `not_found`, or `lease_lost`, which changed nothing. */
export function heldLease<T>(answer: T): Exclude<T, Refusal> {
  if (isRefusal(answer)) throw new ProblemError(answer);
  return answer as Exclude<T, Refusal>;
}

function isRefusal(answer: unknown): answer is Refusal {
  return answer === 'not_found' || answer === 'lease_lost';
}
