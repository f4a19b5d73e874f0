import type { ConsoleState } from '../../console/site/console-site.ts';
import { escapeText, htmlPage } from './html-page.ts';

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
