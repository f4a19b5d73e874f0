import type { ParameterizedContext } from 'koa';
import type { CallState } from '../../procedure/context/context.ts';

type ConsoleContext = ParameterizedContext<CallState>;

/** `login`, `passkey`: the sealed state of a sign-in under way, with the provider or with a passkey. */
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
