import type { ParameterizedContext } from 'koa';

/**
 * Whether the client has the answer whose `ETag` is set, as its `If-None-Match` says. Koa's `fresh` is false with
 * `Cache-Control: no-cache`, which every `fetch` sends with an `If-None-Match`: it would never get a 304.
 */
export function hasAnswer(koa: ParameterizedContext): boolean {
  const etag = koa.response.get('etag');
  return koa
    .get('if-none-match')
    .split(',')
    .some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')));
}
