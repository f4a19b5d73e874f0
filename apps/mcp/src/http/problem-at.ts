import {
  type Problem,
  type ProblemCode,
  type ProblemMembers,
  problemOf,
} from '@insurance-verification/schema';

/** A problem of the registry. */
export type KnownProblem = Problem & { readonly code: ProblemCode };

/** A problem whose `type` points at the service: the relative path in the registry does not exist on this server. */
export function problemAt(serviceUrl: string, code: ProblemCode, members: ProblemMembers = {}): KnownProblem {
  const problem = problemOf(code, members);
  // The origin alone: the configured address may carry a password, and anyone may trigger a problem.
  return { ...problem, code, type: new URL(problem.type, new URL(serviceUrl).origin).href };
}
