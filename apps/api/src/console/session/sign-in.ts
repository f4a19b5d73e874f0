import { signIn as useLink } from '@insurance-verification/store';
import type { ParameterizedContext } from 'koa';
import type { CallState } from '../../procedure/context/context.ts';
import { requireSameOrigin } from '../require-same-origin.ts';
import { requireOriginSecret } from './browser-proof.ts';
import { deviceWords } from './device-words.ts';
import { enter } from './enter.ts';
import { readLinkToken, refuseLink } from './look-at-link.ts';

/**
 * `POST /console/api/sign-in` with the token of a one-time link: begins a session and returns its person. Ends any
 * session the browser had, so that nobody goes on under another's name.
 * @throws {ProblemError} `link_not_valid`
 */
export async function signIn(koa: ParameterizedContext<CallState>): Promise<void> {
  koa.state.operation = 'sessions.signIn';
  requireSameOrigin(koa);
  const originSecret = requireOriginSecret(koa);
  const { app, call } = koa.state.context;
  const token = await readLinkToken(koa);
  const device = deviceWords(koa.get('user-agent'));
  const signedIn = await useLink(app.store, { token, originSecret, device, address: call.address });
  if (signedIn.kind === 'link_not_valid') return refuseLink(koa);
  await enter(koa, signedIn.token);
}
