import Router from '@koa/router';
import type { ParameterizedContext } from 'koa';
import type { ConsoleSite, ConsoleFile } from '../../console/site.ts';
import type { CallState } from '../../procedure/context/app.ts';
import { nothingHere } from '../../procedure/problem.ts';
import { PAGE_POLICY, noticePage } from './html-page.ts';
/** Every page of the console, since the page itself routes its addresses; not its API calls, its events and its help. */
const PAGES = /^\/console(?!\/(?:api|assets|events|help)(?:\/|$))(?:\/.*)?$/;
const HELP = /^\/console\/help(?:\/([\w-]+))?$/;
const ASSETS = /^\/console\/(assets\/[^/]+)$/;

/** Allows only our own files, and no text that becomes script, whatever a field on the page holds. */
export const CONSOLE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** `/console`: the console's pages once they are built; until then a page about the build. */
export function createConsolePagesRouter(site: ConsoleSite): Router<CallState> {
  const router = new Router<CallState>({ strict: true, sensitive: true });
  router.get(PAGES, (koa) => {
    const { state } = site;
    if (state.kind === 'off') throw nothingHere();
    koa.state.operation = 'console';
    if (state.kind === 'served') {
      koa.set('content-security-policy', CONSOLE_POLICY);
      sendFile(koa, state.files.page);
      return;
    }
    koa.status = 503;
    koa.set({ 'content-security-policy': PAGE_POLICY, 'retry-after': '2' });
    koa.type = 'text/html; charset=utf-8';
    koa.body = noticePage(state);
  });
  router.get(HELP, (koa) => {
    const { state } = site;
    const [, name = 'index'] = HELP.exec(koa.path) ?? [];
    const file = state.kind === 'served' ? state.files.help.get(name) : undefined;
    if (!file) throw nothingHere();
    koa.state.operation = 'console';
    koa.set({ 'content-security-policy': CONSOLE_POLICY, 'cache-control': 'no-cache' });
    sendFile(koa, file);
  });
  router.get(ASSETS, (koa) => {
    const { state } = site;
    const asset =
      state.kind === 'served' ? state.files.assets.get(koa.path.slice('/console/'.length)) : undefined;
    if (!asset) throw nothingHere();
    koa.state.operation = 'console';
    koa.set('cache-control', 'public, max-age=31536000, immutable');
    sendFile(koa, asset);
  });
  return router;
}

/** Sends a file in the smallest encoding that the client accepts. */
export function sendFile(koa: ParameterizedContext<CallState>, file: ConsoleFile): void {
  const encoding = (['br', 'gzip'] as const).find((name) => file[name] && koa.acceptsEncodings(name));
  koa.status = 200;
  koa.vary('accept-encoding');
  if (encoding) koa.set('content-encoding', encoding);
  koa.type = file.type;
  koa.body = (encoding && file[encoding]) ?? file.identity;
}
