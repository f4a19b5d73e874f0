import { type LoginSecrets, openLogin, signInByProvider, signOut } from '@insurance-verification/store';
import type { ParameterizedContext } from 'koa';
import type { CallState } from '../../procedure/context/context.ts';
import { ProblemError } from '../../procedure/problem/problem.ts';
import { requireOwnHost } from '../require-same-origin.ts';
import { readCookie, setCookie } from '../session/console-cookie.ts';
import { deviceWords } from '../session/device-words.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { refusedAddress } from './refused-address.ts';

/**
 * `GET /console/sign-in/callback`: where the provider sends the browser back to. Begins a session, always a new one,
 * and ends the one that the browser had.
 * @throws {ProblemError} `cross_site` for anything but a page that is opened, such as an image.
 */
export async function finishProviderSignIn(
  koa: ParameterizedContext<CallState>,
  provider: IdentityProvider,
): Promise<void> {
  koa.state.operation = 'sessions.signIn';
  requireOwnHost(koa);
  // A browser that does not say what the answer is for is taken to open a page.
  if (!['', 'document'].includes(koa.get('sec-fetch-dest'))) throw new ProblemError('cross_site');
  koa.status = 303;
  koa.redirect(await finish(koa, provider));
}

/** @returns where the browser goes on. */
async function finish(koa: ParameterizedContext<CallState>, provider: IdentityProvider): Promise<string> {
  const { app, call } = koa.state.context;
  const returned = new URL(koa.url, app.config.publicUrl);
  const opened = await openLogin(app.store, readCookie(koa, 'login') ?? '');
  if (opened.kind === 'none') return refusedAddress(koa, { kind: 'expired' });
  const { secrets } = opened;
  // Any site can lead a browser here: only the way back that belongs to its sign-in counts as a try, and ends it.
  if (!belongsTo(returned, secrets)) return refusedAddress(koa, { kind: 'tampered' }, secrets.to);
  setCookie(koa, 'login', null); // what it holds works once
  const refuse = async (refused: Parameters<typeof refusedAddress>[1]) => {
    const kind = (await isTooMany(app.limiter.countRefusedSignIn(call))) ? 'too_many' : refused.kind;
    return refusedAddress(koa, { ...refused, kind }, secrets.to);
  };
  const finished = await provider.finish(returned, secrets);
  if (finished.kind !== 'proven') return refuse(finished);
  const { identity } = finished;
  if (await isTooMany(app.limiter.countSignIn(`person ${identity.issuer} ${identity.subject}`, call)))
    return refusedAddress(koa, { kind: 'too_many' }, secrets.to);
  const { invitation, originSecret, to } = secrets;
  const device = deviceWords(koa.get('user-agent'));
  const { address } = call;
  const signedIn = await signInByProvider(app.store, { identity, invitation, originSecret, device, address });
  if (signedIn.kind !== 'signed_in') return refuse(signedIn);
  await signOut(app.store, { token: readCookie(koa, 'session') ?? '', originSecret }, address);
  setCookie(koa, 'session', signedIn.token);
  app.hints.publish('access');
  return to;
}

/** Whether a limit refuses a try. */
const isTooMany = (counted: Promise<void>): Promise<boolean> =>
  counted.then(
    () => false,
    (err: unknown) => {
      if (err instanceof ProblemError) return true;
      throw err;
    },
  );

/** Whether the way back has the state of this sign-in (RFC 6749, 10.12). */
const belongsTo = ({ searchParams }: URL, { state }: LoginSecrets): boolean =>
  searchParams.get('state') === state;
