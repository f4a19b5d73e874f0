import { findSession, findSignInLink } from '@insurance-verification/store';
import type { ParameterizedContext } from 'koa';
import * as z from 'zod';
import type { CallState } from '../../procedure/context/context.ts';
import { ProblemError } from '../../procedure/problem/problem.ts';
import { readStrangersBody } from '../read-strangers-body.ts';
import { requireSameOrigin } from '../require-same-origin.ts';
import { readProof } from './browser-proof.ts';

const Link = z.object({ token: z.string() });

/** Maximum bytes of a body; a token takes 57. */
const BODY_BYTES_MAX = 1_024;

/** The body of a call with a one-time link's token. */
export async function readLinkToken(koa: ParameterizedContext<CallState>): Promise<string> {
  return (await readStrangersBody(koa, Link, BODY_BYTES_MAX)).token;
}

/** Counts a link that does not work, records it in the audit, and throws it as a problem. */
export async function refuseLink(koa: ParameterizedContext<CallState>): Promise<never> {
  const { app, call } = koa.state.context;
  await app.limiter.countRefusedSignIn(call);
  await app.recordRefusal({ way: 'link', refusal: 'link_not_valid', address: call.address });
  throw new ProblemError('link_not_valid');
}

/**
 * `POST /console/api/sign-in/link` with the token of a one-time link: whom it is for, and whose session it would end,
 * for the page that asks whether to go on. Changes nothing: another site can open a link in anyone's browser.
 * @throws {ProblemError} `link_not_valid`, `rate_limited`
 */
export async function lookAtLink(koa: ParameterizedContext<CallState>): Promise<void> {
  koa.state.operation = 'console.link';
  requireSameOrigin(koa);
  const { app, call } = koa.state.context;
  const token = await readLinkToken(koa);
  const link = await findSignInLink(app.store, token);
  if (link.kind === 'link_not_valid') return refuseLink(koa);
  await app.limiter.countSignIn(`link ${token}`, call);
  const live = await findSession(app.store, { ...readProof(koa), accountId: undefined, isUse: false });
  const other = live.kind === 'found' && live.person.keyId !== link.staffId ? live.person : null;
  koa.type = 'application/json';
  koa.body = JSON.stringify({
    name: link.name,
    account_name: link.accountName,
    replaces: other && other.session.name,
  });
}
