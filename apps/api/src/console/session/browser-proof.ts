import type { ParameterizedContext } from 'koa';
import type { CallState } from '../../procedure/context/context.ts';
import { ProblemError } from '../../procedure/problem/problem.ts';
import { readCookie } from './console-cookie.ts';

type ConsoleContext = ParameterizedContext<CallState>;

const SECRET = /^[\w-]{43}$/;

/** What the browser shows for its session: the cookie, and the secret of its pages' origin; empty where it sends none. */
export function readProof(koa: ConsoleContext) {
  return { token: readCookie(koa, 'session') ?? '', originSecret: koa.get('origin-secret') };
}

/**
 * The header `Origin-Secret`, 43 characters of base64url that a page keeps in the storage of its origin: the session
 * that begins is bound to it.
 * @throws {ProblemError} `cross_site` without one.
 */
export function requireOriginSecret(koa: ConsoleContext): string {
  const { originSecret } = readProof(koa);
  if (!SECRET.test(originSecret)) throw new ProblemError('cross_site');
  return originSecret;
}
