import Router from '@koa/router';
import type { ConsoleSite } from '../../console/site.ts';
import type { CallState } from '../../procedure/context/app.ts';
import { nothingHere } from '../../procedure/problem.ts';
import { createAsset } from './create-asset.ts';
import { htmlPage, PAGE_POLICY } from './html-page.ts';

/** `/`: where to go from here, as a page for a browser and as JSON for a program. `isAllowed`: people may sign in here. */
export function createLandingRouter(site: ConsoleSite, isAllowed: boolean): Router<CallState> {
  const router = new Router<CallState>({ strict: true, sensitive: true });
  const sendFavicon = createAsset({ type: 'image/svg+xml', read: async () => Buffer.from(FAVICON) });
  router.get('/', (koa) => {
    // A fragment is no part of a target (RFC 9112, 3.2): what sends one did not mean this page.
    if (koa.url.includes('#')) throw nothingHere();
    const hasConsole = isAllowed && site.state.kind !== 'off';
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

interface Link {
  /** Its name in the document for programs. */
  readonly key: string;
  readonly path: string;
  readonly name: string;
  readonly what: string;
}

const TITLE = 'Insurance Verification Service';

/** What a person who opens the service's address may want next. The console is listed if this process serves it. */
const CONSOLE: Link = {
  key: 'console',
  path: '/console',
  name: 'Console',
  what: 'Where people do the work and see it done.',
};
const LINKS: readonly Link[] = [
  { key: 'docs', path: '/docs', name: 'Guides', what: 'The first request, webhooks, the sandbox, errors.' },
  {
    key: 'reference',
    path: '/docs/reference',
    name: 'API reference',
    what: 'Every operation, with a form to try it.',
  },
  {
    key: 'openapi',
    path: '/openapi.json',
    name: 'OpenAPI document',
    what: 'For generators of clients, and for Postman.',
  },
  {
    key: 'status',
    path: '/status',
    name: 'Status',
    what: 'How the channels of each payer are doing.',
  },
  {
    key: 'health',
    path: '/readyz',
    name: 'Health',
    what: 'Whether the service and its database take requests now.',
  },
];

const itemOf = ({ path, name, what }: Link) =>
  `<li><a href="${path}"><strong>${name}</strong><small>${what}</small></a></li>`;

const linksOf = (hasConsole: boolean) => (hasConsole ? [CONSOLE, ...LINKS] : LINKS);

/** What `/` answers to a program: the paths by name. */
const landingDocument = (hasConsole: boolean): Readonly<Record<string, string>> => ({
  name: TITLE,
  ...Object.fromEntries(linksOf(hasConsole).map(({ key, path }) => [key, path])),
});

/** What `/` answers to a browser. */
const landingPage = (hasConsole: boolean): string =>
  htmlPage({
    title: TITLE,
    body: `<header><img src="/favicon.ico" alt="" width="40" height="40"><h1>${TITLE}</h1></header>
<p>Takes a request to verify a patient’s insurance eligibility, verifies it with the payer, and delivers the signed result to the
address that the request names.</p>
<nav aria-label="Pages"><ul>
${linksOf(hasConsole).map(itemOf).join('\n')}
</ul></nav>`,
  });
