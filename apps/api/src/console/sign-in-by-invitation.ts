import { NewCredential } from '@insurance-verification/schema';
import {
  beginInvitation as begin,
  CHALLENGE_MINUTES,
  signInByInvitation as useInvitation,
  takeChallenge,
} from '@insurance-verification/store';
import type { ParameterizedContext } from 'koa';
import * as z from 'zod';
import type { CallState } from '../procedure/context/app.ts';
import { ProblemError } from '../procedure/problem.ts';
import { creationOptions, relyingPartyOf, verifyNewCredential } from '../staff/webauthn.ts';
import { readAnonymousBody, requireSameOrigin } from './admit-anonymous.ts';
import { refusePasskey } from './passkey-sign-in.ts';
import { readCookie, requireOriginSecret, setCookie } from './session/console-cookie.ts';
import { deviceWords, enter, readLinkToken, refuseLink } from './session/sign-in-by-link.ts';

/**
 * `POST /console/api/sign-in/link/passkey` with the token of an invitation: answers
 * `PublicKeyCredentialCreationOptionsJSON` for its person, and sets the cookie with the encrypted challenge. Nothing is
 * stored, and the invitation stays.
 * @throws {ProblemError} `link_not_valid`, `passkeys_need_name`, `rate_limited`
 */
export async function beginInvitation(koa: ParameterizedContext<CallState>): Promise<void> {
  koa.state.operation = 'console.invitation';
  requireSameOrigin(koa);
  const { app, call } = koa.state.context;
  const party = relyingPartyOf(app.config, call.host);
  if (!party) throw new ProblemError('passkeys_need_name');
  const token = await readLinkToken(koa);
  const begun = await begin(app.store, token);
  if (begun.kind === 'link_not_valid') return refuseLink(koa);
  await app.limiter.countSignIn(`link ${token}`, call);
  setCookie(koa, 'passkey', begun.token, CHALLENGE_MINUTES * 60_000);
  koa.type = 'application/json';
  koa.body = JSON.stringify(creationOptions(party, begun, begun));
}

const Invitation = z.object({ token: z.string(), credential: NewCredential });

/** Maximum bytes of a body; the credential of a security key takes some two thousand. */
const BODY_BYTES_MAX = 32_768;

/** Why a verified passkey is not registered, as the page says it. */
const REFUSALS = { taken: 'passkey_taken', too_many: 'too_many_passkeys' } as const;

/**
 * `POST /console/api/sign-in`, where passkeys sign people in, with an invitation and the passkey that its person has
 * made: registers it, begins a session and answers its person. Uses up the invitation, unless the passkey is refused.
 * @throws {ProblemError} `link_not_valid`; `passkey_refused`, with the reason in `refusal`; `cross_site`, `rate_limited`.
 */
export async function signInByInvitation(koa: ParameterizedContext<CallState>): Promise<void> {
  koa.state.operation = 'sessions.signIn';
  requireSameOrigin(koa);
  const originSecret = requireOriginSecret(koa);
  const { app, call } = koa.state.context;
  const cookie = readCookie(koa, 'passkey') ?? '';
  setCookie(koa, 'passkey', null); // what it holds works once
  const party = relyingPartyOf(app.config, call.host);
  if (!party) throw new ProblemError('passkeys_need_name');
  const { token, credential } = await readAnonymousBody(koa, Invitation, BODY_BYTES_MAX);
  const taken = await takeChallenge(app.store, { invitation: token }, cookie);
  if (taken.kind !== 'taken') return refusePasskey(koa, `passkey_${taken.kind}`);
  const verified = await verifyNewCredential(party, taken.challenge, credential);
  if (verified.kind !== 'verified') return refusePasskey(koa, verified.kind);
  const device = deviceWords(koa.get('user-agent'));
  const signedIn = await useInvitation(app.store, {
    token,
    passkey: { name: device ?? 'First passkey', credential: verified.credential },
    originSecret,
    device,
    address: call.address,
  });
  if (signedIn.kind === 'link_not_valid') return refuseLink(koa);
  if (signedIn.kind !== 'signed_in') return refusePasskey(koa, REFUSALS[signedIn.kind]);
  await enter(koa, signedIn.token);
}
