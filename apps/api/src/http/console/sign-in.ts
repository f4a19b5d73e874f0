import { toValidationErrors } from '@insurance-verification/schema';
import {
  findInvitation,
  findSession,
  LOGIN_MINUTES,
  sealLogin,
  signIn as useLink,
  signOut,
} from '@insurance-verification/store';
import type { ParameterizedContext } from 'koa';
import * as z from 'zod';
import { allowBody } from '../../body/allow-body.ts';
import { bodyMissing, readJsonBody } from '../../body/read-json-body.ts';
import { outlineOf } from '../../procedure/outline.ts';
import { ProblemError, ValidationFailedError } from '../../procedure/problem/problem.ts';
import { toMyself } from '../../staff/to-myself.ts';
import type { RestState } from '../rest/rest.ts';
import { readCookie, setCookie } from './console-cookie.ts';
import { deviceWords } from './device-words.ts';
import { requireSameOrigin } from './require-same-origin.ts';

const SignIn = z.object({ token: z.string() });
const outline = outlineOf(SignIn);

/** Maximum bytes of a body; a token takes 57. */
const BODY_BYTES_MAX = 1_024;

/**
 * `POST /console/api/sign-in` with the token of a one-time link: begins a session and returns its person. Ends any
 * session the browser had, so that nobody goes on under another's name.
 */
export async function signIn(koa: ParameterizedContext<RestState>): Promise<void> {
  koa.state.operation = 'sessions.signIn';
  requireSameOrigin(koa);
  const { app, call } = koa.state.context;
  await app.limiter.countSignIn('sign-in', call);
  call.strangerBytesMax = BODY_BYTES_MAX;
  const given = await readJsonBody(koa.req, allowBody(koa.state.context), () => outline);
  if (given === undefined || given === null) throw bodyMissing();
  const { data, error } = SignIn.safeParse(given);
  if (error) throw new ValidationFailedError(toValidationErrors(error.issues, given));
  if (app.config.provider) return invite(koa, data.token);
  const device = deviceWords(koa.get('user-agent'));
  const signedIn = await useLink(app.store, { token: data.token, device });
  if (signedIn.kind === 'link_not_valid') throw new ProblemError('link_not_valid');
  const { token } = signedIn;
  await signOut(app.store, readCookie(koa, 'session') ?? '');
  for (const change of ['session', 'access'] as const) app.hints.tell(change);
  const found = await findSession(app.store, { token, accountId: undefined, isUse: false });
  if (found.kind !== 'found') throw new ProblemError('signed_out'); // ended the moment it began
  setCookie(koa, 'session', token);
  call.key = found.person;
  koa.type = 'application/json';
  koa.body = JSON.stringify(toMyself(found.person));
}

/** With a provider a link only invites: the browser keeps it, sealed, until its person has signed in there. */
async function invite(koa: ParameterizedContext<RestState>, token: string): Promise<void> {
  const { app } = koa.state.context;
  const invitation = await findInvitation(app.store, token);
  if (invitation.kind === 'link_not_valid') throw new ProblemError('link_not_valid');
  const { cookie } = await sealLogin(app.store, { invitation: token });
  setCookie(koa, 'login', cookie, LOGIN_MINUTES * 60_000);
  koa.type = 'application/json';
  koa.body = JSON.stringify({ continue_at: '/console/sign-in/provider?invited=1' });
}
