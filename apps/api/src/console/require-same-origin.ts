import type { ParameterizedContext } from 'koa';
import { hasOwnOrigin, isHttps, isThisMachine } from '../network/own-pages.ts';
import type { CallState } from '../procedure/context/context.ts';
import { ProblemError } from '../procedure/problem/problem.ts';

type ConsoleContext = ParameterizedContext<CallState>;

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/**
 * Restricts a call to the console's own pages. The browser sends the cookie whichever page made the call, so headers
 * that no page can write must show that it was one of ours; POST must be JSON, which a form cannot send; and the Host
 * must be ours.
 * @throws {ProblemError} `cross_site`
 */
export function requireSameOrigin(koa: ConsoleContext): void {
  requireOwnHost(koa);
  const { method, headers } = koa.req;
  const { 'sec-fetch-site': site, 'content-type': type } = headers;
  const own = koa.state.context.app.config.publicUrl;
  const isOurs = site === undefined ? hasOwnOrigin(headers, own) : site === 'same-origin';
  const isJson = method !== 'POST' || (type !== undefined && JSON_TYPE.test(type));
  if (!isOurs || !isJson) throw new ProblemError('cross_site');
}

/**
 * Requires that the call came to an address of ours: a name that temporarily leads here makes any page same-origin (DNS
 * rebinding).
 * @throws {ProblemError} `cross_site`
 */
export function requireOwnHost(koa: ConsoleContext): void {
  const { host = '' } = koa.req.headers;
  const own = koa.state.context.app.config.publicUrl;
  if (host !== own?.host && (isHttps(own) || !isThisMachine(host))) throw new ProblemError('cross_site');
}
