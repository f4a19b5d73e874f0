import { SIGN_IN_REFUSALS, type SignInRefusal } from '../staff/sign-in-refusal.ts';
import { type ProblemCode, PROBLEMS } from './problem-registry.ts';
import type { Problem } from './problem.ts';

/**
 * The RFC 9457 `type` of a problem: the path of its explanation page on the answering service. Relative, so that the
 * text is the same wherever the service runs, and with a full path from the root, as section 3.1.1 recommends.
 */
export function problemType(code: ProblemCode): string {
  return `/docs/problems/${code}`;
}

/** A problem's members besides its registry entry. */
export type ProblemMembers = Omit<Problem, 'type' | 'title' | 'status' | 'detail' | 'code' | 'refusal'> & {
  readonly refusal?: SignInRefusal;
};

/**
 * The body of a problem. `request_trace` identifies the occurrence in the log and is given on 5xx only;
 * `required_scopes` also appear in the sentence, and `refusal` has one of its own.
 */
export function problemOf(code: ProblemCode, members: ProblemMembers = {}): Problem {
  const { title, status, sentence: usual } = PROBLEMS[code];
  const { required_scopes: scopes, refusal } = members;
  const sentence = refusal === undefined ? usual : SIGN_IN_REFUSALS[refusal];
  const detail = scopes ? `${sentence.slice(0, -1)}: ${scopes.join(' or ')}.` : sentence;
  return { type: problemType(code), title, status, detail, code, ...members };
}
