import Router from '@koa/router';
import type { Config } from '../config/config.ts';
import type { CallState } from '../procedure/context/context.ts';
import { openEvents } from './events/open-events.ts';
import { nameSignInWays } from './name-sign-in-ways.ts';
import { beginPasskeySignIn } from './passkey/begin-passkey-sign-in.ts';
import { passkeySignIn } from './passkey/passkey-sign-in.ts';
import { backChannelLogout } from './provider/back-channel-logout.ts';
import { finishProviderSignIn } from './provider/finish-provider-sign-in.ts';
import { createIdentityProvider } from './provider/identity-provider.ts';
import { startProviderSignIn } from './provider/start-provider-sign-in.ts';
import { lookAtLink } from './session/look-at-link.ts';
import { signIn } from './session/sign-in.ts';
import { signOut } from './session/sign-out.ts';

/** The routes of sign-in, sign-out and the event stream. All other calls of the console are procedures. */
export function createConsoleRouter({
  provider: config,
  publicUrl,
}: Pick<Config, 'provider' | 'publicUrl'>): Router<CallState> {
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
  } else router.post('/console/api/sign-in', signIn);
  return router;
}
