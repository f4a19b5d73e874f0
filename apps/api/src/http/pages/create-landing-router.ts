import Router from '@koa/router';
import type { ConsoleSite } from '../../console/site/console-site.ts';
import type { CallState } from '../../procedure/context/context.ts';
import { nothingHere } from '../../procedure/problem/problem.ts';
import { createAsset } from './create-asset.ts';
import { PAGE_POLICY } from './html-page.ts';
import { landingPage } from './landing-page.ts';

/** `/`, for people only: a program gets 404, as at any other unknown path. */
export function createLandingRouter(site: ConsoleSite): Router<CallState> {
  const router = new Router<CallState>({ strict: true, sensitive: true });
  const sendFavicon = createAsset({ type: 'image/svg+xml', read: async () => Buffer.from(FAVICON) });
  router.get('/', (koa) => {
    // A browser asks for text/html. A program that takes anything (`*/*`) gets the same answer as at any unknown path,
    // down to the last header.
    if (koa.accepts('json', 'html') !== 'html') throw nothingHere();
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

/** A shield with a check mark, for the browser's tab. */
const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<path fill="#0f766e" d="M16 2 4 6.5V15c0 7.5 5 12.6 12 15 7-2.4 12-7.5 12-15V6.5z"/>
<path fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round" d="m10 16 4.5 4.5L22.5 12"/>
</svg>
`;
