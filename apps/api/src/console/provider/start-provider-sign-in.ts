import { LOGIN_MINUTES, openLogin, sealLogin } from '@insurance-verification/store';
import type { ParameterizedContext } from 'koa';
import type { CallState } from '../../procedure/context/context.ts';
import { requireOwnHost } from '../require-same-origin.ts';
import { readCookie, setCookie } from '../session/console-cookie.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { refuseSignIn } from './refuse-sign-in.ts';

/**
 * `GET /console/sign-in/provider`: leads to the provider. `to` is the page to come back to; `fresh=1` asks the person
 * who they are whatever the provider remembers; `invited=1` takes up the invitation that the browser opened last.
 */
export async function startProviderSignIn(
  koa: ParameterizedContext<CallState>,
  provider: IdentityProvider,
): Promise<void> {
  koa.state.operation = 'console.provider';
  requireOwnHost(koa);
  const { app, call } = koa.state.context;
  const given = new URLSearchParams(koa.search);
  const to = pageOf(given.get('to'));
  const fresh = given.get('fresh') === '1';
  const begun = await provider.begin(fresh);
  if (!('url' in begun)) return refuseSignIn(koa, begun, to);
  const opened = await openLogin(app.store, readCookie(koa, 'login') ?? '');
  const invitation =
    given.get('invited') === '1' && opened.kind === 'found' ? opened.secrets.invitation : undefined;
  const { cookie } = await sealLogin(app.store, {
    ...begun.secrets,
    to,
    fresh,
    ...(invitation !== undefined && { invitation }),
  });
  setCookie(koa, 'login', cookie, LOGIN_MINUTES * 60_000);
  call.setHeader('referrer-policy', 'no-referrer');
  koa.status = 303;
  koa.redirect(begun.url.href);
}

/** A page of the console, whatever was asked: an open redirect would send people who just signed in anywhere. */
function pageOf(to: string | null): string {
  return to !== null && /^\/console(?:\/[\w/.-]*)?(?:\?[^#]*)?$/.test(to) && !/\/[/.]/.test(to)
    ? to
    : '/console';
}
