import { htmlPage } from './html-page.ts';

interface Link {
  readonly path: string;
  readonly name: string;
  readonly what: string;
}

/** What a person who opens the service's address may want next. The console is listed if this process serves it. */
const CONSOLE: Link = {
  path: '/console',
  name: 'Console',
  what: 'Where people do the work and see it done.',
};
const LINKS: readonly Link[] = [
  { path: '/docs', name: 'API reference', what: 'Every operation, with a form to try it.' },
  { path: '/openapi.json', name: 'OpenAPI document', what: 'For generators of clients, and for Postman.' },
  { path: '/readyz', name: 'Health', what: 'Whether the service and its database take requests now.' },
];

const itemOf = ({ path, name, what }: Link) =>
  `<li><a href="${path}"><strong>${name}</strong><small>${what}</small></a></li>`;

/** What `/` answers to a browser. */
export const landingPage = (hasConsole: boolean): string =>
  htmlPage({
    title: 'Insurance Verification Service',
    body: `<header><img src="/favicon.ico" alt="" width="40" height="40"><h1>Insurance Verification Service</h1></header>
<p>Takes a request to verify a patient’s insurance, finds out with the payer, and delivers the signed result to the
address that the request names.</p>
<nav aria-label="Pages"><ul>
${(hasConsole ? [CONSOLE, ...LINKS] : LINKS).map(itemOf).join('\n')}
</ul></nav>`,
  });
