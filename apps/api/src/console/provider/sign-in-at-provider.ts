import type { SignInRefusal } from '@insurance-verification/schema';
import {
  LOGIN_MINUTES,
  type LoginSecrets,
  openLogin,
  encryptLogin,
  signInByProvider,
  signOut,
} from '@insurance-verification/store';
import type { ParameterizedContext } from 'koa';
import * as z from 'zod';
import type { ProviderConfig } from '../../config/read-provider.ts';
import type { CallState } from '../../procedure/context/app.ts';
import { ProblemError } from '../../procedure/problem.ts';
import { readAnonymousBody, requireOwnHost, requireSameOrigin } from '../admit-anonymous.ts';
import { readCookie, requireOriginSecret, setCookie } from '../session/console-cookie.ts';
import { deviceWords } from '../session/sign-in-by-link.ts';
import { discover, type IdentityProvider } from './identity-provider.ts';

const Start = z.object({
  /** The page to come back to. */
  to: z.string().optional(),
  /** The person is asked who they are, whatever the provider remembers. */
  fresh: z.boolean().default(false),
  /** The token of the invitation that the person takes up. */
  invitation: z.string().optional(),
});

/** Maximum bytes of a body, and so of what the cookie keeps of it: browsers take cookies of 4,096 bytes. */
const BODY_BYTES_MAX = 1_024;

/**
 * `POST /console/api/sign-in/provider`: begins a sign-in with the provider, and answers the address that the page goes
 * to. A call, not a link: another site could open a link in anyone's browser.
 */
export async function startProviderSignIn(
  koa: ParameterizedContext<CallState>,
  provider: IdentityProvider,
): Promise<void> {
  koa.state.operation = 'console.provider';
  requireSameOrigin(koa);
  const originSecret = requireOriginSecret(koa);
  const { app } = koa.state.context;
  const { to: asked, ...given } = await readAnonymousBody(koa, Start, BODY_BYTES_MAX);
  const to = pageOf(asked);
  const begun = await provider.begin(given.fresh);
  koa.type = 'application/json';
  if (!('url' in begun)) {
    koa.body = JSON.stringify({ continue_at: await refusedAddress(koa, begun, to) });
    return;
  }
  const { cookie } = await encryptLogin(app.store, { ...begun.secrets, ...given, originSecret, to });
  setCookie(koa, 'login', cookie, LOGIN_MINUTES * 60_000);
  koa.body = JSON.stringify({ continue_at: begun.url.href });
}

/** A page of the console, whatever was asked: an open redirect would send people who just signed in anywhere. */
function pageOf(to: string | undefined): string {
  return to !== undefined && /^\/console(?:\/[\w/.-]*)?(?:\?[^#]*)?$/.test(to) && !/\/[/.]/.test(to)
    ? to
    : '/console';
}

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

/** @returns the browser's next address. */
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

/** Whether the identity provider answers at this moment, whatever it has answered before. */
export async function providerAnswers(provider: ProviderConfig): Promise<boolean> {
  return discover(provider).then(
    () => true,
    () => false,
  );
}

/**
 * Records in the audit why a sign-in failed, and gives the address of the sign-in page that says it and then leads on to
 * `to`. What the library said goes to the log, without its payloads.
 */
async function refusedAddress(
  koa: ParameterizedContext<CallState>,
  { kind, cause }: { readonly kind: SignInRefusal; readonly cause?: unknown },
  to?: string,
): Promise<string> {
  const { app, call } = koa.state.context;
  const { log } = app;
  await app.recordRefusal({ way: 'provider', refusal: kind, address: call.address });
  const line = { reason: kind, ...(cause !== undefined && { cause: causeOf(cause) }) };
  log.warn(line, 'a sign-in with the identity provider failed');
  const search = new URLSearchParams({ failed: kind, ...(to !== undefined && { to }) });
  return `/console/sign-in?${search.toString()}`;
}

/**
 * The codes and messages of an error and its causes. Their other members hold tokens and claims, and are not logged.
 */
function causeOf(err: unknown): string {
  if (!(err instanceof Error)) return String(err);
  const { code } = err as { code?: unknown };
  const said = typeof code === 'string' ? `${err.message} (${code})` : err.message;
  return err.cause instanceof Error ? `${said}: ${causeOf(err.cause)}` : said;
}
