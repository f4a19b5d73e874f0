import type { SignInRefusal } from '@insurance-verification/schema';
import {
  CHALLENGE_MINUTES,
  findPasskey,
  encryptChallenge,
  signInByPasskey,
  takeChallenge,
} from '@insurance-verification/store';
import type { ParameterizedContext } from 'koa';
import type { CallState, Context } from '../procedure/context/app.ts';
import { ProblemError } from '../procedure/problem.ts';
import { Assertion, relyingPartyOf, verifyAssertion } from '../staff/webauthn.ts';
import { readAnonymousBody, requireSameOrigin } from './admit-anonymous.ts';
import { readCookie, requireOriginSecret, setCookie } from './session/console-cookie.ts';
import { deviceWords, enter } from './session/sign-in-by-link.ts';

/** Maximum bytes of a body; an assertion takes one to two thousand. */
const BODY_BYTES_MAX = 8_192;

/**
 * `POST /console/api/sign-in/passkey` with the assertion of a passkey: begins a session and answers its person.
 * @throws {ProblemError} `passkey_refused`, with the reason in `refusal`; `cross_site`, `rate_limited`.
 */
export async function passkeySignIn(koa: ParameterizedContext<CallState>): Promise<void> {
  koa.state.operation = 'sessions.signIn';
  requireSameOrigin(koa);
  const originSecret = requireOriginSecret(koa);
  const { app, call } = koa.state.context;
  const cookie = readCookie(koa, 'passkey') ?? '';
  setCookie(koa, 'passkey', null); // what it holds works once
  const assertion = await readAnonymousBody(koa, Assertion, BODY_BYTES_MAX);
  const proven = await prove(koa.state.context, cookie, assertion);
  if (proven.kind !== 'proven') return refusePasskey(koa, proven.kind);
  const signedIn = await signInByPasskey(app.store, {
    ...proven,
    needsProvider: app.config.provider !== undefined,
    originSecret,
    device: deviceWords(koa.get('user-agent')),
    address: call.address,
  });
  if (signedIn.kind !== 'signed_in') return refusePasskey(koa, signedIn.kind);
  await enter(koa, signedIn.token);
}

type Proven =
  | { readonly kind: 'proven'; readonly passkeyId: string; readonly signCount: number }
  | { readonly kind: SignInRefusal };

/** Verifies the assertion against the challenge in this browser's cookie, and finds its passkey. */
async function prove({ app, call }: Context, cookie: string, assertion: Assertion): Promise<Proven> {
  const party = relyingPartyOf(app.config, call.host);
  if (!party) throw new ProblemError('passkeys_need_name');
  const taken = await takeChallenge(app.store, 'sign-in', cookie);
  if (taken.kind !== 'taken') return { kind: `passkey_${taken.kind}` };
  const passkey = await findPasskey(app.store, assertion.id);
  if (passkey.kind !== 'found') return passkey;
  const { passkeyId, staffId, credential } = passkey;
  const { userHandle } = assertion.response;
  if (userHandle != null && Buffer.from(userHandle, 'base64url').toString() !== staffId)
    return { kind: 'passkey_not_yours' };
  const verified = await verifyAssertion(party, taken.challenge, assertion, credential);
  if (verified.kind !== 'verified') return verified;
  // Only what the passkey has signed: counted before, ten forged signatures a minute would keep its person out.
  await app.limiter.countSignIn(`person ${staffId}`, call);
  return { kind: 'proven', passkeyId, signCount: verified.signCount };
}

/** Counts the refusal, records its reason in the audit and the log, and throws it as a problem. */
export async function refusePasskey(
  koa: ParameterizedContext<CallState>,
  refusal: SignInRefusal,
): Promise<never> {
  const { app, call } = koa.state.context;
  await app.limiter.countRefusedSignIn(call);
  await app.recordRefusal({ way: 'passkey', refusal, address: call.address });
  app.log.warn({ reason: refusal }, 'a sign-in with a passkey failed');
  throw new ProblemError('passkey_refused', { refusal });
}

/**
 * `POST /console/api/sign-in/passkey/begin`: answers `PublicKeyCredentialRequestOptionsJSON`, and sets the cookie with
 * the encrypted challenge. Nothing is stored.
 * @throws {ProblemError} `cross_site`, `passkeys_need_name`
 */
export async function beginPasskeySignIn(koa: ParameterizedContext<CallState>): Promise<void> {
  koa.state.operation = 'console.passkey';
  requireSameOrigin(koa);
  const { app } = koa.state.context;
  const party = relyingPartyOf(app.config, koa.get('host'));
  if (!party) throw new ProblemError('passkeys_need_name');
  const { challenge, encrypted } = await encryptChallenge(app.store, 'sign-in');
  const timeout = CHALLENGE_MINUTES * 60_000;
  setCookie(koa, 'passkey', encrypted, timeout);
  koa.type = 'application/json';
  // WebAuthn's PublicKeyCredentialRequestOptionsJSON. It names no credential: the authenticator finds its own.
  koa.body = JSON.stringify({
    challenge: challenge.toString('base64url'),
    rpId: party.id,
    timeout,
    userVerification: 'required',
  });
}
