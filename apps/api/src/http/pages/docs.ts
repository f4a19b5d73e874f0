import { readFile } from 'node:fs/promises';
import { type Schemas, toValidationErrors } from '@insurance-verification/schema';
import Router from '@koa/router';
import type { Middleware, ParameterizedContext } from 'koa';
import * as z from 'zod';
import type { Config } from '../../config/config.ts';
import type { ConsoleSite } from '../../console/site.ts';
import type { App, CallState } from '../../procedure/context/app.ts';
import { nothingHere, ProblemError, ValidationFailedError } from '../../procedure/problem.ts';
import { unknownMemberFaults } from '../../procedure/unknown-members.ts';
import type { ApiRouter } from '../../router.ts';
import { Audience } from '../openapi/for-audience.ts';
import type { createOpenApiTexts } from '../openapi/openapi.ts';
import { createAsset } from './create-asset.ts';
import { CONSOLE_POLICY, sendFile } from './create-console-pages-router.ts';

/** The page of a guide, its Markdown, and the index of the search. */
const GUIDE = /^\/docs\/([a-z-]+)(\.md|\.json)?$/;

/** Scalar's built browser bundle, from our own dependencies: no request leaves the origin. */
const bundlePath = new URL('browser/standalone.js', import.meta.resolve('@scalar/api-reference'));

/** Its own greys and hues are too pale to read, for methods, types and what is required, and its arrows are too small. */
const STYLES = `
.light-mode { --scalar-color-2: #5c5c5c; --scalar-color-3: #666; --scalar-color-green: #006b45; --scalar-color-blue: #0063a3;
  --scalar-color-orange: #ad3c00; --scalar-color-red: #c00010; --scalar-color-yellow: #7a5700; --scalar-color-query: #00666a; }
.dark-mode { --scalar-color-3: #9d9d9d; }
button.absolute[aria-expanded] { display: grid; place-items: center; min-width: 24px; min-height: 24px; }`;

const settings = {
  // Most readers are providers. The others choose on top of the page, and link to theirs: `/docs/reference?api=operator`.
  sources: [
    { title: 'For providers', slug: 'provider', url: '/openapi.json?for=provider', default: true },
    { title: 'For verifiers', slug: 'verifier', url: '/openapi.json?for=verifier' },
    { title: 'For operators', slug: 'operator', url: '/openapi.json?for=operator' },
    { title: 'Everything', slug: 'all', url: '/openapi.json' },
  ],
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  mcp: { disabled: true },
  authentication: { preferredSecurityScheme: 'apiKey' },
  documentDownloadType: 'direct',
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
  // The only link of the page that leaves the origin.
  customCss: `a[href="https://www.scalar.com"] { display: none }${STYLES}`,
};

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Insurance Verification API</title>
<link rel="icon" href="/favicon.ico" type="image/svg+xml">
</head>
<body>
<div id="reference"></div>
<script src="/docs/scalar.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/**
 * Names what Scalar leaves without a name: its fields of code, which are no lists either until something is typed, and the
 * buttons that copy an example. They come with what is opened. A list that scrolls by itself gets the focus.
 */
const NAMES = `
const nameAll = () => {
  for (const field of document.querySelectorAll('.code-input-lite__editor:not([aria-label], [aria-labelledby])')) {
    field.setAttribute('role', 'textbox');
    field.setAttribute('aria-label', field.dataset.placeholder || 'Value');
  }
  for (const button of document.querySelectorAll('.scalar-code-copy:not([aria-label], [aria-labelledby])'))
    button.setAttribute('aria-label', 'Copy');
  for (const list of document.querySelectorAll('ul.endpoints:not([tabindex])')) list.tabIndex = 0;
};
let isDue = false;
new MutationObserver(() => {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    nameAll();
  });
}).observe(document.getElementById('reference'), { childList: true, subtree: true });
`;

// The page itself knows its origin best, even behind a proxy that does not report it.
const start = `${NAMES}Scalar.createApiReference('#reference', { ...${JSON.stringify(settings)}, servers: [{ url: location.origin }] });\n`;

/** Scalar sets inline styles and data: images from its script; everything else comes from this origin. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The bundle has a joke in base64 as the placeholder of the field of a key, and no setting for it. */
async function readBundle(): Promise<Buffer> {
  const bundle = await readFile(bundlePath, 'utf8');
  return Buffer.from(bundle.replaceAll('QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT', 'ivk_test_…'));
}

export interface DocumentedApi {
  readonly router: ApiRouter;
  readonly schemas: Schemas;
}

/**
 * `/openapi.json`, and the page that shows it and lets a reader try it. The document is made when it is first asked
 * for: 0.15 s and 15 MB, which a process without readers does not spend. It is compressed once for each audience: made
 * for each address that a caller names, 25 calls a second slowed every create to seconds.
 */
export function createDocsRouter(
  api: DocumentedApi,
  site: ConsoleSite,
  { config, ownAddress }: Pick<App, 'config' | 'ownAddress'>,
): Router<CallState> {
  const router = new Router<CallState>({ strict: true, sensitive: true });
  const type = 'text/javascript; charset=utf-8';
  const scripts = {
    '/docs/scalar.js': createAsset({ type, read: readBundle }),
    '/docs/start.js': createAsset({ type, read: async () => Buffer.from(start) }),
  };
  const documents = new Map(
    Audience.options.map((audience) => [
      audience,
      createAsset({
        type: 'application/json',
        read: async () => Buffer.from((await textOf())(audience, serverOf(config, ownAddress()))),
        cacheControl: 'private, max-age=300',
      }),
    ]),
  );
  let texts: OpenApiTexts | undefined;
  const textOf = async (): Promise<OpenApiTexts> =>
    (texts ??= (await import('../openapi/openapi.ts')).createOpenApiTexts(api.router, api.schemas));
  router.get('/openapi.json', async (koa) => {
    koa.state.operation = 'openapi';
    await documents.get(audienceOf(new URLSearchParams(koa.querystring)))?.(koa);
  });
  const sendReference = (koa: ParameterizedContext<CallState>) => {
    koa.state.operation = 'docs';
    koa.set('content-security-policy', policy);
    koa.type = 'text/html; charset=utf-8';
    koa.body = PAGE;
  };
  router.get(['/docs/reference', '/docs/reference/'], sendReference);
  // Where the guides are not built, the reference is all there is.
  router.get(['/docs', '/docs/'], (koa) => {
    if (!sendGuide(site, koa, 'index.html')) sendReference(koa);
  });
  router.get('/llms.txt', (koa) => {
    if (!sendGuide(site, koa, 'llms.txt')) throw nothingHere();
  });
  for (const [path, send] of Object.entries(scripts)) {
    router.get(path, async (koa) => {
      koa.state.operation = 'docs';
      await send(koa);
    });
  }
  return router;
}

/**
 * Sends a file of the guides. @returns whether there is one of this name.
 * @throws {ProblemError} `unavailable` while a first start builds them: a 404 would be read as an answer.
 */
function sendGuide({ state }: ConsoleSite, koa: ParameterizedContext<CallState>, name: string): boolean {
  if (state.kind === 'building' && !WITHOUT_GUIDES.has(name))
    throw new ProblemError('unavailable', {
      detail: 'The guides are being built; ask again in some seconds.',
    });
  const file = state.kind === 'served' ? state.files.guides.get(name) : undefined;
  if (!file) return false;
  koa.state.operation = 'docs';
  koa.set({ 'content-security-policy': CONSOLE_POLICY, 'cache-control': 'no-cache' });
  sendFile(koa, file);
  return true;
}

/** What is below `/docs` without the guides: the reference, also in the place of their first page. */
const WITHOUT_GUIDES: ReadonlySet<string> = new Set([
  'index.html',
  'reference.html',
  'problems.html',
  'reasons.html',
]);

/** The pages of the guides below `/docs`. Not a route: any other address there has none, and so takes no method. */
export const serveGuides =
  (site: ConsoleSite): Middleware<CallState> =>
  (koa, next) => {
    const [, name, ending = '.html'] = (['GET', 'HEAD'].includes(koa.method) && GUIDE.exec(koa.path)) || [];
    return name !== undefined && sendGuide(site, koa, `${name}${ending}`) ? undefined : next();
  };

type OpenApiTexts = ReturnType<typeof createOpenApiTexts>;

const Choice = z.object({ for: Audience.default('all') });

/** @throws {ValidationFailedError} for another audience, and for another parameter. */
function audienceOf(query: URLSearchParams): Audience {
  const given = Object.fromEntries(query);
  const { data, error } = Choice.safeParse(given);
  const locOf = (path: readonly (string | number)[]) => ['query', ...path];
  const faults = [
    ...toValidationErrors(error?.issues ?? [], given, locOf),
    ...unknownMemberFaults(Choice, given, locOf),
  ];
  if (!data || faults.length > 0) throw new ValidationFailedError(faults);
  return data.for;
}

/**
 * The address that the document names as its server: `PUBLIC_URL`, or on one machine the process's own. Elsewhere it is
 * relative, to where the document was read.
 */
const serverOf = ({ publicUrl, local }: Config, ownAddress: string | undefined): string =>
  publicUrl?.origin ?? (local ? (ownAddress ?? '/') : '/');
