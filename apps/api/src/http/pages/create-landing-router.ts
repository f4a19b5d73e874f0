import Router from '@koa/router';
import type { ConsoleSite } from '../../console/site/console-site.ts';
import type { CallState } from '../../procedure/context/context.ts';
import { nothingHere } from '../../procedure/problem/problem.ts';
import { createAsset } from './create-asset.ts';
import { PAGE_POLICY } from './html-page.ts';
import { landingDocument, landingPage } from './landing-page.ts';

/** `/`: where to go from here, as a page for a browser and as JSON for a program. */
export function createLandingRouter(site: ConsoleSite): Router<CallState> {
  const router = new Router<CallState>({ strict: true, sensitive: true });
  const sendFavicon = createAsset({ type: 'image/svg+xml', read: async () => Buffer.from(FAVICON) });
  router.get('/', (koa) => {
    // A fragment is no part of a target (RFC 9112, 3.2): what sends one did not mean this page.
    if (koa.url.includes('#')) throw nothingHere();
    const hasConsole = site.state.kind !== 'off';
    koa.vary('accept');
    koa.state.operation = 'landing';
    // A browser asks for text/html. What takes anything (`*/*`) is a program.
    if (koa.accepts('json', 'html') !== 'html') {
      koa.body = landingDocument(hasConsole);
      return;
    }
    koa.set('content-security-policy', PAGE_POLICY);
    koa.type = 'text/html; charset=utf-8';
    koa.body = landingPage(hasConsole);
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
