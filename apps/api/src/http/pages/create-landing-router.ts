import Router from '@koa/router';
import type { ConsoleSite } from '../../console/site/console-site.ts';
import type { CallState } from '../../procedure/context/context.ts';
import { ProblemError } from '../../procedure/problem/problem.ts';
import { createAsset } from './create-asset.ts';
import { FAVICON } from './favicon.ts';
import { PAGE_POLICY } from './html-page.ts';
import { landingPage } from './landing-page.ts';

/** `/`, for people only: a program gets 404, as at any other unknown path. */
export function createLandingRouter(site: ConsoleSite): Router<CallState> {
  const router = new Router<CallState>({ strict: true, sensitive: true });
  const sendFavicon = createAsset({ type: 'image/svg+xml', read: async () => Buffer.from(FAVICON) });
  router.get('/', (koa) => {
    // A browser asks for text/html. A program that takes anything (`*/*`) gets the same answer as at any unknown path,
    // down to the last header.
    if (koa.accepts('json', 'html') !== 'html') throw new ProblemError('not_found');
    koa.vary('accept');
    koa.state.operation = 'landing';
    koa.set('content-security-policy', PAGE_POLICY);
    koa.type = 'text/html; charset=utf-8';
    koa.body = landingPage(site.state.kind !== 'off');
  });
  router.get('/favicon.ico', async (koa) => {
    koa.state.operation = 'favicon';
    await sendFavicon(koa);
  });
  return router;
}
