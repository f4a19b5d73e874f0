import { type Problem, type ProblemCode, problemOf } from '@insurance-verification/schema';

/** A problem of the registry. */
export type KnownProblem = Problem & { readonly code: ProblemCode };

/** A problem whose page is at the service. Its own `type` is a path, which this door does not answer. */
export function problemAt(serviceUrl: string, code: ProblemCode): KnownProblem {
  const problem = problemOf(code);
  // The origin alone: an address may carry a password, and anyone may ask.
  return { ...problem, code, type: new URL(problem.type, new URL(serviceUrl).origin).href };
}
