import Router from '@koa/router';
import type { ParameterizedContext } from 'koa';
import type { Config } from '../config/config.ts';
import type { CallState } from '../procedure/context/app.ts';
import { relyingPartyOf } from '../staff/webauthn.ts';
import { requireSameOrigin } from './admit-anonymous.ts';
import { openEvents } from './events/event-streams.ts';
import { beginPasskeySignIn, passkeySignIn } from './passkey-sign-in.ts';
import { backChannelLogout } from './provider/back-channel-logout.ts';
import { createIdentityProvider } from './provider/identity-provider.ts';
import { finishProviderSignIn, startProviderSignIn } from './provider/sign-in-at-provider.ts';
import { lookAtLink, signIn } from './session/sign-in-by-link.ts';
import { signOut } from './session/sign-out.ts';
import { beginInvitation, signInByInvitation } from './sign-in-by-invitation.ts';

/** The routes of sign-in, sign-out and the event stream. All other calls of the console are procedures. */
export function createConsoleRouter({
  provider: config,
  signInWay,
  publicUrl,
}: Pick<Config, 'provider' | 'signInWay' | 'publicUrl'>): Router<CallState> {
  const router = new Router<CallState>({ strict: true, sensitive: true });
  // The greeting's link, short enough for 80 columns: the browser carries the fragment, the secret, along.
  router.get('/console/in', (koa) => {
    koa.state.operation = 'console.in';
    koa.redirect('/console/sign-in');
  });
  router.get('/console/api/sign-in', nameSignInWays);
  router.post('/console/api/sign-in/link', lookAtLink);
  router.post('/console/api/sign-in/passkey/begin', beginPasskeySignIn);
  router.post('/console/api/sign-in/passkey', passkeySignIn);
  router.post('/console/api/sign-out', signOut);
  router.get('/console/events', openEvents);
  if (config && publicUrl) {
    const provider = createIdentityProvider(config, publicUrl);
    router.post('/console/api/sign-in/provider', (koa) => startProviderSignIn(koa, provider));
    router.get('/console/sign-in/callback', (koa) => finishProviderSignIn(koa, provider));
    router.post('/console/back-channel-logout', (koa) => backChannelLogout(koa, provider, config.clientId));
  } else if (signInWay === 'passkey') {
    router.post('/console/api/sign-in/link/passkey', beginInvitation);
    router.post('/console/api/sign-in', signInByInvitation);
  } else router.post('/console/api/sign-in', signIn);
  return router;
}

/**
 * `GET /console/api/sign-in`: the ways to sign in. `way`: how people sign in; `provider`: the identity provider's host,
 * null without one; `passkeys`: whether they work at this address.
 */
function nameSignInWays(koa: ParameterizedContext<CallState>): void {
  koa.state.operation = 'console.ways';
  requireSameOrigin(koa);
  const { config } = koa.state.context.app;
  const { provider, signInWay } = config;
  koa.type = 'application/json';
  koa.body = JSON.stringify({
    way: signInWay,
    provider: provider ? provider.issuer.host : null,
    passkeys: relyingPartyOf(config, koa.get('host')) !== null,
  });
}
