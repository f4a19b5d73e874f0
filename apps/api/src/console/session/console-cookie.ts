import type { ParameterizedContext } from 'koa';
import type { CallState } from '../../procedure/context/context.ts';

type ConsoleContext = ParameterizedContext<CallState>;

/** `login`, `passkey`: what a browser keeps, sealed, while its person is at the provider or with the authenticator. */
type CookieName = 'session' | 'login' | 'passkey';

/**
 * Over https a cookie of this host alone, which no other host and no plain http can set. On one machine it is named by
 * port instead: a browser sends cookies to every port of a host, and two services may run on one.
 */
function cookieOf({ req, state }: ConsoleContext, name: CookieName) {
  const isHttps = state.context.app.config.publicUrl?.protocol === 'https:';
  return isHttps
    ? { name: `__Host-iv_${name}`, path: '/', secure: true }
    : { name: `iv_${name}_${req.socket.localPort}`, path: '/console', secure: false };
}

/** A cookie's value; undefined without one. */
export function readCookie(koa: ConsoleContext, name: CookieName): string | undefined {
  return koa.cookies.get(cookieOf(koa, name).name);
}

/** Gives the browser a cookie, for as long as it runs or for `maxAgeMs`; null removes it. No script can read it. */
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
