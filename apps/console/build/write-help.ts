import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { marked } from 'marked';

interface HelpPage {
  /** Its place below `/console/help`; empty for the contents. */
  readonly name: string;
  readonly title: string;
  readonly html: string;
}

/**
 * Writes the pages of `apps/docs/console` as they are served at `/console/help`: the same text for whoever reads the
 * repository and whoever works, and no script.
 * @param root of the workspace.
 */
export function writeHelp(root: string, dist: string): void {
  const pages = globSync('apps/docs/console/*.md', { cwd: root })
    .toSorted()
    .map((path) => readPage(join(root, path)));
  const sheets = ['src/tokens.css', 'src/base.css', 'build/tables.css', 'build/help.css'];
  const styles = sheets.map((path) => readFileSync(join(root, 'apps/console', path), 'utf8')).join('\n');
  const sheet = `assets/help-${createHash('sha256').update(styles).digest('base64url').slice(0, 8)}.css`;
  mkdirSync(join(dist, 'help'), { recursive: true });
  mkdirSync(join(dist, 'assets'), { recursive: true });
  writeFileSync(join(dist, sheet), styles);
  for (const page of pages)
    writeFileSync(join(dist, 'help', `${page.name || 'index'}.html`), documentOf(page, sheet));
}

function readPage(path: string): HelpPage {
  const text = readFileSync(path, 'utf8');
  const file = basename(path, '.md');
  const title = /^# (.+)$/m.exec(text)?.[1];
  if (title === undefined) throw new Error(`${path} has no heading.`);
  const html = marked
    .parse(text, { async: false })
    .replaceAll(/<a href="([^"]*)">(.*?)<\/a>/gs, (_all, to: string, words: string) => linkOf(to, words))
    .replaceAll(
      /<table>.*?<\/table>/gs,
      '<div class="frame" role="region" aria-label="Table" tabindex="0">$&</div>',
    );
  return { name: file === 'README' ? '' : file, title, html };
}

/** Pages beside this one are served; the rest of the documentation is for whoever has the repository. */
function linkOf(to: string, words: string): string {
  const name = /^([\w-]+)\.md$/.exec(to)?.[1];
  if (name === undefined) return words;
  return `<a href="/console/help${name === 'README' ? '' : `/${name}`}">${words}</a>`;
}

const documentOf = ({ name, title, html }: HelpPage, sheet: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Help</title>
<link rel="icon" href="/favicon.ico" type="image/svg+xml">
<link rel="stylesheet" href="/console/${sheet}">
</head>
<body>
<nav aria-label="Help">
<a href="/console">Console</a>
${name === '' ? '' : '<a href="/console/help">All help</a>'}
</nav>
<main>
${html}</main>
</body>
</html>
`;
