import { type ProblemCode, PROBLEMS } from './problem-registry.ts';
import type { Problem } from './problem.ts';

/**
 * The RFC 9457 `type` of a problem: the path, on the service that answered, of the page that explains it. Relative, so
 * that it is the same text wherever the service runs, and complete from the root, as section 3.1.1 asks of such a one.
 */
export function problemType(code: ProblemCode): string {
  return `/docs/problems/${code}`;
}

/** What a problem tells beside its registry entry. */
export type ProblemMembers = Omit<Problem, 'type' | 'title' | 'status' | 'detail' | 'code'>;

/**
 * The body of a problem. `request_trace` names the occurrence in the log and is given on 5xx only; `required_scopes` are
 * named in the sentence too.
 */
export function problemOf(code: ProblemCode, members: ProblemMembers = {}): Problem {
  const { title, status, sentence } = PROBLEMS[code];
  const scopes = members.required_scopes;
  const detail = scopes ? `${sentence.slice(0, -1)}: ${scopes.join(' or ')}.` : sentence;
  return { type: problemType(code), title, status, detail, code, ...members };
}
