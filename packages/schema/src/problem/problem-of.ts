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
export type ProblemMembers = Omit<Problem, 'type' | 'title' | 'status' | 'code' | 'refusal' | 'detail'> & {
  /** In place of the registry's sentence. */
  readonly detail?: string;
  readonly refusal?: SignInRefusal;
};

/** The sentence of a `not_found` for an address that does not exist. */
export const NOTHING_HERE = 'There is nothing at this address.';

/**
 * The body of a problem. `request_trace` identifies the occurrence in the log and is given on 5xx only;
 * `required_scopes` also appear in the sentence, `refusal` has one of its own, and so has a path that leads nowhere:
 * {@link NOTHING_HERE}, where an id that nothing has is `not_found` too.
 */
export function problemOf(code: ProblemCode, members: ProblemMembers = {}): Problem {
  const { title, status, sentence: usual } = PROBLEMS[code];
  const { required_scopes: scopes, refusal } = members;
  const sentence = refusal === undefined ? usual : SIGN_IN_REFUSALS[refusal];
  const detail = scopes ? `${sentence.slice(0, -1)}: ${scopes.join(' or ')}.` : sentence;
  return { type: problemType(code), title, status, detail, code, ...members };
}
