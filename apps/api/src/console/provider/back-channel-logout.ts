import { signOutByProvider } from '@insurance-verification/store';
import type { JWTPayload } from 'jose';
import type { ParameterizedContext } from 'koa';
import { allowBody } from '../../body/body-memory.ts';
import { readBytes } from '../../body/read-body.ts';
import type { CallState } from '../../procedure/context/app.ts';
import { ProblemError } from '../../procedure/problem.ts';
import type { IdentityProvider } from './identity-provider.ts';

/** Maximum bytes of a body; a signed token takes about 1,000. */
const BODY_BYTES_MAX = 16_384;

/** Maximum age of a token in seconds: it is sent when the session ends. */
const TOKEN_SECONDS_MAX = 600;

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/**
 * `POST /console/back-channel-logout` (OpenID Connect Back-Channel Logout 1.0): ends the sessions that the provider's
 * logout token names. The signature of the token authenticates the call.
 * @throws {ProblemError} `bad_request` for a token that is invalid or was used before; `unavailable` where the
 * provider's keys cannot be read.
 */
export async function backChannelLogout(
  koa: ParameterizedContext<CallState>,
  provider: IdentityProvider,
  clientId: string,
): Promise<void> {
  koa.state.operation = 'console.backChannelLogout';
  const { app, call } = koa.state.context;
  call.anonymousBytesMax = BODY_BYTES_MAX;
  const body = await readBytes(koa.req, allowBody(koa.state.context));
  const token = new URLSearchParams(body.toString('latin1')).get('logout_token') ?? '';
  const {
    iss: issuer = '',
    sub: subject,
    sid,
    jti,
    iat = 0,
    ...claims
  } = await verify(token, provider, clientId);
  const isLogout = Object.hasOwn(claims['events'] ?? {}, EVENT) && !('nonce' in claims);
  const session = typeof sid === 'string' ? sid : undefined;
  if (!isLogout || jti === undefined || (session === undefined && subject === undefined))
    throw new ProblemError('bad_request');
  const expiresAt = new Date((iat + 2 * TOKEN_SECONDS_MAX) * 1000);
  const ended = await signOutByProvider(app.store, { issuer, sid: session, subject, jti, expiresAt });
  if (ended.kind === 'replayed') throw new ProblemError('bad_request');
  app.hints.publish('session');
  koa.status = 200;
  koa.body = '';
}

/** @throws {ProblemError} `bad_request` for a token that the provider did not sign for us, or signed too long ago. */
async function verify(token: string, provider: IdentityProvider, clientId: string): Promise<JWTPayload> {
  const { jwtVerify, errors } = await import('jose');
  try {
    const { issuer, keySet } = await provider.keys();
    const { payload } = await jwtVerify(token, keySet, {
      issuer,
      audience: clientId,
      maxTokenAge: TOKEN_SECONDS_MAX,
      clockTolerance: 30,
      requiredClaims: ['jti', 'iat', 'events'],
    });
    return payload;
  } catch (err) {
    const isOurs = err instanceof errors.JOSEError && !(err instanceof errors.JWKSTimeout);
    throw new ProblemError(isOurs ? 'bad_request' : 'unavailable', { cause: err });
  }
}
