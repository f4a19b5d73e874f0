import { openLogin, signInByProvider, signOut } from '@insurance-verification/store';
import type { ParameterizedContext } from 'koa';
import type { CallState } from '../../procedure/context/context.ts';
import { ProblemError } from '../../procedure/problem/problem.ts';
import { requireOwnHost } from '../require-same-origin.ts';
import { readCookie, setCookie } from '../session/console-cookie.ts';
import { deviceWords } from '../session/device-words.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { refuseSignIn } from './refuse-sign-in.ts';

/**
 * `GET /console/sign-in/callback`: where the provider sends the browser back to. Begins a session, always a new one,
 * and ends the one that the browser had.
 */
export async function finishProviderSignIn(
  koa: ParameterizedContext<CallState>,
  provider: IdentityProvider,
): Promise<void> {
  koa.state.operation = 'sessions.signIn';
  requireOwnHost(koa);
  const { app, call } = koa.state.context;
  const cookie = readCookie(koa, 'login');
  setCookie(koa, 'login', null); // what it holds works once
  try {
    await app.limiter.countSignIn('sign-in', call);
  } catch (err) {
    if (err instanceof ProblemError) return refuseSignIn(koa, { kind: 'too_many' });
    throw err;
  }
  const opened = await openLogin(app.store, cookie ?? '');
  if (opened.kind === 'none' || opened.secrets.state === undefined)
    return refuseSignIn(koa, { kind: 'expired' });
  const { secrets } = opened;
  const returned = new URL(koa.url, app.config.publicUrl);
  const finished = await provider.finish(returned, secrets);
  if (finished.kind !== 'proven') return refuseSignIn(koa, finished, secrets.to);
  const { identity } = finished;
  const device = deviceWords(koa.get('user-agent'));
  const signedIn = await signInByProvider(app.store, { identity, invitation: secrets.invitation, device });
  if (signedIn.kind !== 'signed_in') return refuseSignIn(koa, signedIn, secrets.to);
  await signOut(app.store, readCookie(koa, 'session') ?? '');
  setCookie(koa, 'session', signedIn.token);
  koa.state.context.app.hints.publish('access');
  koa.status = 303;
  koa.redirect(secrets.to ?? '/console');
}
