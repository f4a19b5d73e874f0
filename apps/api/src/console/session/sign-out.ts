import { signOut as endSession } from '@insurance-verification/store';
import type { ParameterizedContext } from 'koa';
import type { CallState } from '../../procedure/context/app.ts';
import { requireSameOrigin } from '../admit-anonymous.ts';
import { readProof, setCookie } from './console-cookie.ts';

/** `POST /console/api/sign-out`: ends the session and removes its cookie. Idempotent. */
export async function signOut(koa: ParameterizedContext<CallState>): Promise<void> {
  koa.state.operation = 'sessions.signOut';
  requireSameOrigin(koa);
  const { app, call } = koa.state.context;
  await endSession(app.store, readProof(koa), call.address);
  for (const change of ['session', 'access'] as const) koa.state.context.app.hints.publish(change);
  setCookie(koa, 'session', null);
  koa.type = 'application/json';
  koa.body = JSON.stringify({ status: 'signed_out' });
}
