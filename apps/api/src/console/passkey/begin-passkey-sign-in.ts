import { CHALLENGE_MINUTES, sealChallenge } from '@insurance-verification/store';
import type { ParameterizedContext } from 'koa';
import type { CallState } from '../../procedure/context/context.ts';
import { ProblemError } from '../../procedure/problem/problem.ts';
import { relyingPartyOf } from '../../staff/passkeys/relying-party.ts';
import { requireSameOrigin } from '../require-same-origin.ts';
import { setCookie } from '../session/console-cookie.ts';

/**
 * `POST /console/api/sign-in/passkey/begin`: answers `PublicKeyCredentialRequestOptionsJSON`, and sets the cookie with
 * the sealed challenge. Nothing is stored.
 * @throws {ProblemError} `cross_site`, `passkeys_need_name`
 */
export async function beginPasskeySignIn(koa: ParameterizedContext<CallState>): Promise<void> {
  koa.state.operation = 'console.passkey';
  requireSameOrigin(koa);
  const { app } = koa.state.context;
  const party = relyingPartyOf(app.config, koa.get('host'));
  if (!party) throw new ProblemError('passkeys_need_name');
  const { challenge, sealed } = await sealChallenge(app.store, 'sign-in');
  const timeout = CHALLENGE_MINUTES * 60_000;
  setCookie(koa, 'passkey', sealed, timeout);
  koa.type = 'application/json';
  // WebAuthn's PublicKeyCredentialRequestOptionsJSON. It names no credential: the authenticator finds its own.
  koa.body = JSON.stringify({
    challenge: challenge.toString('base64url'),
    rpId: party.id,
    timeout,
    userVerification: 'required',
  });
}
