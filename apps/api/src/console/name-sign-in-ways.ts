import type { ParameterizedContext } from 'koa';
import type { CallState } from '../procedure/context/context.ts';
import { relyingPartyOf } from '../staff/passkeys/relying-party.ts';
import { requireSameOrigin } from './require-same-origin.ts';

/**
 * `GET /console/api/sign-in`: the ways to sign in. `provider`: the identity provider's host, null without one;
 * `passkeys`: whether they work at this address.
 */
export function nameSignInWays(koa: ParameterizedContext<CallState>): void {
  koa.state.operation = 'console.ways';
  requireSameOrigin(koa);
  const { config } = koa.state.context.app;
  const { provider } = config;
  koa.type = 'application/json';
  koa.body = JSON.stringify({
    provider: provider ? provider.issuer.host : null,
    passkeys: relyingPartyOf(config, koa.get('host')) !== null,
  });
}
