import type { IncomingMessage } from 'node:http';
import { isLoopbackHost } from '@insurance-verification/webhook';
import { ProblemError } from '../../procedure/problem/problem.ts';

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/**
 * Restricts a call to the console's own pages. The browser sends the cookie whichever page made the call, so headers
 * that no page can write must show that it was one of ours; POST must be JSON, which a form cannot send; and the Host
 * must be this machine's, since a name that temporarily leads here makes any page same-origin (DNS rebinding).
 * @throws {ProblemError} `cross_site`
 */
export function requireSameOrigin({ method, headers }: IncomingMessage): void {
  const { host = '', origin, 'sec-fetch-site': site, 'content-type': type } = headers;
  const isOurs = site === undefined ? origin === `http://${host}` : site === 'same-origin';
  const isJson = method !== 'POST' || (type !== undefined && JSON_TYPE.test(type));
  if (!isOurs || !isJson || !isThisMachine(host)) throw new ProblemError('cross_site');
}

/** By name alone: a tunnel has another port at its other end. */
function isThisMachine(host: string): boolean {
  const name = URL.parse(`http://${host}`)?.hostname ?? '';
  return isLoopbackHost(name.replace(/^\[|\]$/g, ''));
}
