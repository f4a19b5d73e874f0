import { findSession, signOut } from '@insurance-verification/store';
import type { ParameterizedContext } from 'koa';
import type { CallState } from '../../procedure/context/context.ts';
import { ProblemError } from '../../procedure/problem/problem.ts';
import { toMyself } from '../../staff/to-myself.ts';
import { readProof } from './browser-proof.ts';
import { setCookie } from './console-cookie.ts';

/**
 * Sets the cookie of a new session and answers its person ({@link Myself}). Ends the session that the browser had.
 * @throws {ProblemError} `signed_out` where the new session has ended already.
 */
export async function enter(koa: ParameterizedContext<CallState>, token: string): Promise<void> {
  const { app, call } = koa.state.context;
  const proof = readProof(koa);
  await signOut(app.store, proof, call.address);
  for (const change of ['session', 'access'] as const) app.hints.publish(change);
  const found = await findSession(app.store, { ...proof, token, accountId: undefined, isUse: false });
  if (found.kind !== 'found') throw new ProblemError('signed_out'); // ended the moment it began
  setCookie(koa, 'session', token);
  call.key = found.person;
  koa.type = 'application/json';
  koa.body = JSON.stringify(toMyself(found.person));
}
