import { scriptlessPolicy } from './scriptless-policy.ts';

interface Place {
  readonly path: string;
  readonly name: string;
  readonly what: string;
}

/** What a person who opens the service's address may want next. A place is listed only if this process serves it. */
const console: Place = {
  path: '/console',
  name: 'Console',
  what: 'Where people do the work and see it done.',
};
const places: readonly Place[] = [
  { path: '/docs', name: 'API reference', what: 'Every operation, with a form to try it.' },
  { path: '/openapi.json', name: 'OpenAPI document', what: 'For generators of clients, and for Postman.' },
  { path: '/readyz', name: 'Health', what: 'Whether the service and its database take requests now.' },
];

const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f8fafa; --card: #fff; --line: #d5dedd; --text: #14211f; --quiet: #4b5c59; --accent: #0f766e;
}
@media (prefers-color-scheme: dark) {
  :root { --ground: #0d1514; --card: #141f1d; --line: #2b3a37; --text: #e6efed; --quiet: #9fb3af; --accent: #5eead4; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; }
main { max-width: 42rem; margin: 0 auto; padding: clamp(2rem, 10vh, 6rem) 1.25rem 3rem; }
header { display: flex; align-items: center; gap: .9rem; }
h1 { margin: 0; font-size: clamp(1.35rem, 5vw, 1.9rem); line-height: 1.2; }
p { margin: 1.1rem 0 2rem; color: var(--quiet); }
ul { display: grid; gap: .75rem; margin: 0; padding: 0; list-style: none; }
a { display: block; padding: .9rem 1.1rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--card);
  color: inherit; text-decoration: none; }
a:hover, a:focus-visible { border-color: var(--accent); }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
strong { display: block; color: var(--accent); }
small { font-size: .92rem; color: var(--quiet); }
`;

/** What `/` answers to a browser; with the console if this process has one. */
export const landingPage = (hasConsole: boolean): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Insurance Verification Service</title>
<link rel="icon" href="/favicon.ico" type="image/svg+xml">
<style>${STYLE}</style>
</head>
<body>
<main>
<header><img src="/favicon.ico" alt="" width="40" height="40"><h1>Insurance Verification Service</h1></header>
<p>Takes a request to verify a patient’s insurance, finds out with the payer, and delivers the signed result to the
address that the request names.</p>
<nav aria-label="Places"><ul>
${(hasConsole ? [console, ...places] : places).map(({ path, name, what }) => `<li><a href="${path}"><strong>${name}</strong><small>${what}</small></a></li>`).join('\n')}
</ul></nav>
</main>
</body>
</html>
`;

export const landingPolicy = scriptlessPolicy(STYLE, "img-src 'self'");
