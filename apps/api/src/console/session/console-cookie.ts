import { findSession, type LivePerson } from '@insurance-verification/store';
import type { ParameterizedContext } from 'koa';
import type { CallState } from '../../procedure/context/app.ts';
import { ProblemError } from '../../procedure/problem.ts';
import { requireSameOrigin } from '../admit-anonymous.ts';

type ConsoleContext = ParameterizedContext<CallState>;

/** `login`, `passkey`: the encrypted state of a sign-in under way, with the provider or with a passkey. */
type CookieName = 'session' | 'login' | 'passkey';

/**
 * Name and attributes of a cookie. Over https it has the prefix `__Host-` (RFC 6265bis), so that no other host and no
 * plain http can set it. On loopback http it is named by port, since a browser sends cookies to every port of a host
 * and two services may run on one.
 */
function cookieOf({ req, state }: ConsoleContext, name: CookieName) {
  const isHttps = state.context.app.config.publicUrl?.protocol === 'https:';
  return isHttps
    ? { name: `__Host-iv_${name}`, path: '/', secure: true }
    : { name: `iv_${name}_${req.socket.localPort}`, path: '/console', secure: false };
}

/** The value of a cookie; undefined without it. */
export function readCookie(koa: ConsoleContext, name: CookieName): string | undefined {
  return koa.cookies.get(cookieOf(koa, name).name);
}

/**
 * Sets a cookie, `HttpOnly` and `SameSite=Lax`; null removes it.
 * @param maxAgeMs milliseconds; without it the cookie lasts until the browser ends.
 */
export function setCookie(
  koa: ConsoleContext,
  name: CookieName,
  value: string | null,
  maxAgeMs?: number,
): void {
  const cookie = cookieOf(koa, name);
  // Where the address is https, so was the browser's connection: a proxy in front of this process ended it.
  koa.cookies.secure = cookie.secure;
  const { path, secure } = cookie;
  koa.cookies.set(cookie.name, value, {
    path,
    secure,
    httpOnly: true,
    sameSite: 'lax',
    ...(maxAgeMs !== undefined && { maxAge: maxAgeMs }),
  });
}

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

const SECRET = /^[\w-]{43}$/;

/** What the browser shows for its session: the cookie, and the secret of its pages' origin; empty where it sends none. */
export function readProof(koa: ConsoleContext) {
  return { token: readCookie(koa, 'session') ?? '', originSecret: koa.get('origin-secret') };
}

/**
 * The header `Origin-Secret`, 43 characters of base64url that a page keeps in the storage of its origin: the session
 * that begins is bound to it.
 * @throws {ProblemError} `cross_site` without one.
 */
export function requireOriginSecret(koa: ConsoleContext): string {
  const { originSecret } = readProof(koa);
  if (!SECRET.test(originSecret)) throw new ProblemError('cross_site');
  return originSecret;
}
