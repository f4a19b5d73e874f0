import type { ConsoleState } from '../../console/site/console-site.ts';
import { scriptlessPolicy } from './scriptless-policy.ts';

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 42rem; margin: 0 auto; padding: 12vh 1.25rem 3rem; }
h1 { font-size: 1.35rem; }
pre { overflow-x: auto; padding: .75rem 1rem; border: 1px solid #8888; border-radius: .4rem; font-size: .8rem;
  white-space: pre-wrap; }
`;

/** What `/console` shows until it is built: it reloads itself, and shows why a build failed. */
export function noticePage(state: Extract<ConsoleState, { kind: 'building' | 'failed' }>): string {
  const isBuilding = state.kind === 'building';
  const title = isBuilding ? 'The console is being built' : 'The console could not be built';
  const words = isBuilding
    ? '<p>This takes a few seconds, once. The page opens by itself. The API answers already.</p>'
    : `<p>The API is not affected. The build said:</p>
<pre tabindex="0">${escaped(state.reason)}</pre>
<p>Start the service again to build it again.</p>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${isBuilding ? '<meta http-equiv="refresh" content="1">' : ''}
<title>${title}</title>
<link rel="icon" href="/favicon.ico" type="image/svg+xml">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${words}
</main>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export const noticePolicy = scriptlessPolicy(STYLE, "img-src 'self'");
