import type { ParameterizedContext } from 'koa';
import type { RestState } from '../rest/rest.ts';

type ConsoleContext = ParameterizedContext<RestState>;

/** Named by port: a browser sends cookies to every port of a host, and two services may run on one. */
function nameOf({ req }: ConsoleContext): string {
  return `iv_session_${req.socket.localPort}`;
}

/** The token of the call's session; undefined without one. */
export function readSessionToken(koa: ConsoleContext): string | undefined {
  return koa.cookies.get(nameOf(koa));
}

/**
 * Gives the browser a session, for as long as the browser runs; null removes it. Without `Secure`: the console is
 * served over plain http to its own machine alone.
 */
export function setSessionCookie(koa: ConsoleContext, token: string | null): void {
  koa.cookies.set(nameOf(koa), token, { path: '/console', httpOnly: true, sameSite: 'lax', secure: false });
}
