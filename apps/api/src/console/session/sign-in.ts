import { findInvitation, LOGIN_MINUTES, sealLogin, signIn as useLink } from '@insurance-verification/store';
import type { ParameterizedContext } from 'koa';
import * as z from 'zod';
import type { CallState } from '../../procedure/context/context.ts';
import { ProblemError } from '../../procedure/problem/problem.ts';
import { readStrangersBody } from '../read-strangers-body.ts';
import { requireSameOrigin } from '../require-same-origin.ts';
import { setCookie } from './console-cookie.ts';
import { deviceWords } from './device-words.ts';
import { enter } from './enter.ts';

const SignIn = z.object({ token: z.string() });

/** Maximum bytes of a body; a token takes 57. */
const BODY_BYTES_MAX = 1_024;

/**
 * `POST /console/api/sign-in` with the token of a one-time link: begins a session and returns its person. Ends any
 * session the browser had, so that nobody goes on under another's name.
 */
export async function signIn(koa: ParameterizedContext<CallState>): Promise<void> {
  koa.state.operation = 'sessions.signIn';
  requireSameOrigin(koa);
  const { app, call } = koa.state.context;
  await app.limiter.countSignIn('sign-in', call);
  const { token } = await readStrangersBody(koa, SignIn, BODY_BYTES_MAX);
  if (app.config.provider) return invite(koa, token);
  const device = deviceWords(koa.get('user-agent'));
  const signedIn = await useLink(app.store, { token, device });
  if (signedIn.kind === 'link_not_valid') throw new ProblemError('link_not_valid');
  await enter(koa, signedIn.token);
}

/** With a provider a link only invites: the browser keeps it, sealed, until its person has signed in there. */
async function invite(koa: ParameterizedContext<CallState>, token: string): Promise<void> {
  const { app } = koa.state.context;
  const invitation = await findInvitation(app.store, token);
  if (invitation.kind === 'link_not_valid') throw new ProblemError('link_not_valid');
  const { cookie } = await sealLogin(app.store, { invitation: token });
  setCookie(koa, 'login', cookie, LOGIN_MINUTES * 60_000);
  koa.type = 'application/json';
  koa.body = JSON.stringify({ continue_at: '/console/sign-in/provider?invited=1' });
}
