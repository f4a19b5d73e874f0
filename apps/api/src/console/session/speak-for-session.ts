import { findSession, type LivePerson } from '@insurance-verification/store';
import type { ParameterizedContext } from 'koa';
import type { CallState } from '../../procedure/context/context.ts';
import { ProblemError } from '../../procedure/problem/problem.ts';
import { requireSameOrigin } from '../require-same-origin.ts';
import { readProof } from './browser-proof.ts';

/**
 * Whether a request target is a procedure below `/console/api/`: the names of procedures have a dot, `sign-in` and
 * `sign-out` have none.
 */
export function isConsoleCall(target: string): boolean {
  return /^\/console\/api\/[^/?]*\./.test(target);
}

/**
 * Authenticates a call by its session, as a key does elsewhere; a key that is sent with it is ignored. The header
 * `Account-Id` names the account that a person of the platform acts for, `default` without it; a person of one account
 * acts for that one. With `Background: 1` the call does not count as use of the session, which may then expire of
 * idleness.
 * @throws {ProblemError} `cross_site`, `signed_out`, or `not_found` for an account that the person may not act for.
 */
export async function speakForSession(koa: ParameterizedContext<CallState>): Promise<void> {
  requireSameOrigin(koa);
  const { app, call } = koa.state.context;
  const accountId = koa.get('account-id') || undefined;
  const proof = readProof(koa);
  const find = async (isUse: boolean): Promise<LivePerson | null> => {
    const found = await findSession(app.store, { ...proof, accountId, isUse });
    if (found.kind === 'account_not_found') throw new ProblemError('not_found');
    return found.kind === 'found' ? found.person : null;
  };
  const person = await find(koa.get('background') !== '1');
  if (!person) throw new ProblemError('signed_out');
  call.speaksFor(person, () => find(false));
}
