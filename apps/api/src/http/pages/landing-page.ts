import { htmlPage } from './html-page.ts';

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
  { key: 'docs', path: '/docs', name: 'API reference', what: 'Every operation, with a form to try it.' },
  {
    key: 'openapi',
    path: '/openapi.json',
    name: 'OpenAPI document',
    what: 'For generators of clients, and for Postman.',
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
export const landingDocument = (hasConsole: boolean): Readonly<Record<string, string>> => ({
  name: TITLE,
  ...Object.fromEntries(linksOf(hasConsole).map(({ key, path }) => [key, path])),
});

/** What `/` answers to a browser. */
export const landingPage = (hasConsole: boolean): string =>
  htmlPage({
    title: TITLE,
    body: `<header><img src="/favicon.ico" alt="" width="40" height="40"><h1>${TITLE}</h1></header>
<p>Takes a request to verify a patient’s insurance eligibility, verifies it with the payer, and delivers the signed result to the
address that the request names.</p>
<nav aria-label="Pages"><ul>
${linksOf(hasConsole).map(itemOf).join('\n')}
</ul></nav>`,
  });
