import { findSession, findSignInLink, signIn as useLink, signOut } from '@insurance-verification/store';
import type { ParameterizedContext } from 'koa';
import * as z from 'zod';
import type { CallState } from '../../procedure/context/app.ts';
import { ProblemError } from '../../procedure/problem.ts';
import { toMyself } from '../../staff/staff.ts';
import { readAnonymousBody, requireSameOrigin } from '../admit-anonymous.ts';
import { readProof, requireOriginSecret, setCookie } from './console-cookie.ts';

const Link = z.object({ token: z.string() });

/** Maximum bytes of a body; a token takes 57. */
const BODY_BYTES_MAX = 1_024;

/** The body of a call with a one-time link's token. */
export async function readLinkToken(koa: ParameterizedContext<CallState>): Promise<string> {
  return (await readAnonymousBody(koa, Link, BODY_BYTES_MAX)).token;
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
 * for the page that asks whether to continue. Changes nothing: another site can open a link in anyone's browser.
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

/**
 * `POST /console/api/sign-in` with the token of a one-time link: begins a session and returns its person. Ends any
 * session the browser had, so that a person never continues under another's name.
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

/**
 * Sets the cookie of a new session and answers its person ({@link Myself}). Ends the session that the browser had.
 * @throws {ProblemError} `signed_out` where the new session has ended already.
 */
export async function enter(koa: ParameterizedContext<CallState>, token: string): Promise<void> {
  const { app, call } = koa.state.context;
  const proof = readProof(koa);
  await signOut(app.store, proof, call.address);
  for (const change of ['session', 'access'] as const) app.hints.publish(change);
  const found = await findSession(app.store, { ...proof, token, accountId: undefined, isUse: false });
  if (found.kind !== 'found') throw new ProblemError('signed_out'); // ended the moment it began
  setCookie(koa, 'session', token);
  call.key = found.person;
  koa.type = 'application/json';
  koa.body = JSON.stringify(toMyself(found.person));
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

/** In order, since Android also sends `Linux`, and an iPhone `Mac OS X`. */
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/**
 * Browser and operating system from a `User-Agent`, as in “Firefox on Linux”, for the list of sessions; null where it
 * names neither. The header itself is not stored, since the sender can write anything into it.
 */
export function deviceWords(userAgent: string): string | null {
  const [browser, system] = [BROWSERS, SYSTEMS].map(
    (known) => known.find(([pattern]) => pattern.test(userAgent))?.[1],
  );
  if (browser === undefined) return system ?? null;
  return system === undefined ? browser : `${browser} on ${system}`;
}
