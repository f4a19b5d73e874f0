import { LOGIN_MINUTES, sealLogin } from '@insurance-verification/store';
import type { ParameterizedContext } from 'koa';
import * as z from 'zod';
import type { CallState } from '../../procedure/context/context.ts';
import { readStrangersBody } from '../read-strangers-body.ts';
import { requireSameOrigin } from '../require-same-origin.ts';
import { requireOriginSecret } from '../session/browser-proof.ts';
import { setCookie } from '../session/console-cookie.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { refusedAddress } from './refused-address.ts';

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
  const { to: asked, ...given } = await readStrangersBody(koa, Start, BODY_BYTES_MAX);
  const to = pageOf(asked);
  const begun = await provider.begin(given.fresh);
  koa.type = 'application/json';
  if (!('url' in begun)) {
    koa.body = JSON.stringify({ continue_at: await refusedAddress(koa, begun, to) });
    return;
  }
  const { cookie } = await sealLogin(app.store, { ...begun.secrets, ...given, originSecret, to });
  setCookie(koa, 'login', cookie, LOGIN_MINUTES * 60_000);
  koa.body = JSON.stringify({ continue_at: begun.url.href });
}

/** A page of the console, whatever was asked: an open redirect would send people who just signed in anywhere. */
function pageOf(to: string | undefined): string {
  return to !== undefined && /^\/console(?:\/[\w/.-]*)?(?:\?[^#]*)?$/.test(to) && !/\/[/.]/.test(to)
    ? to
    : '/console';
}
