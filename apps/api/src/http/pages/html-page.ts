import { createHash } from 'node:crypto';
import type { ConsoleState } from '../../console/site.ts';

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
h1 { margin: 0; font-size: clamp(1.35rem, 5vw, 1.9rem); line-height: 1.2; }
a { color: var(--accent); }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code { font-family: ui-monospace, monospace; }
dt { margin-top: .5rem; font-weight: 600; }
dd { margin: 0; }
pre { overflow-x: auto; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .4rem; font-size: .8rem;
  white-space: pre-wrap; }
header { display: flex; align-items: center; gap: .9rem; }
header + p { margin: 1.1rem 0 2rem; color: var(--quiet); }
nav ul { display: grid; gap: .75rem; margin: 0; padding: 0; list-style: none; }
nav a { display: block; padding: .9rem 1.1rem; border: 1px solid var(--line); border-radius: .6rem;
  background: var(--card); color: inherit; text-decoration: none; }
nav a:hover, nav a:focus-visible { border-color: var(--accent); }
nav strong { display: block; color: var(--accent); }
nav small { font-size: .92rem; color: var(--quiet); }
`;

/** Such a page uses its one style, by the digest, and its icon; it runs nothing. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface HtmlPage {
  readonly title: string;
  /** HTML, its text escaped with {@link escapeText}. */
  readonly body: string;
  /** False where the server has no icon. */
  readonly hasIcon?: boolean;
  /** It loads itself again each second. */
  readonly reloads?: boolean;
}

/** A page without scripts, but for what its body brings: what a person sees at the service's address, instead of the console, or for a problem. */
export const htmlPage = ({ title, body, hasIcon = true, reloads = false }: HtmlPage): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">${reloads ? '\n<meta http-equiv="refresh" content="1">' : ''}
<title>${escapeText(title)}</title>
<link rel="icon" href="${hasIcon ? '/favicon.ico" type="image/svg+xml' : 'data:,'}">
<style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** What `/console` shows until it is built: it reloads itself, and shows why a build failed. */
export function noticePage(state: Extract<ConsoleState, { kind: 'building' | 'failed' }>): string {
  const isBuilding = state.kind === 'building';
  const title = isBuilding ? 'The console is being built' : 'The console could not be built';
  const words = isBuilding
    ? '<p>This takes a few seconds, once. The page opens by itself. The API answers already.</p>'
    : `<p>The API is not affected. The build said:</p>
<pre tabindex="0">${escapeText(state.reason)}</pre>
<p>Start the service again to build it again.</p>`;
  return htmlPage({ title, body: `<h1>${title}</h1>\n${words}`, reloads: isBuilding });
}
