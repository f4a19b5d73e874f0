import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { marked } from 'marked';

interface Guide {
  /** Its place below `/docs`; `index` for the contents. */
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

/** A section of the contents, with its pages in a reader's order. */
interface Section {
  readonly title: string;
  readonly pages: readonly { readonly name: string; readonly title: string; readonly what: string }[];
}

/**
 * Writes the guides of `apps/docs/guides` as they are served at `/docs`: each page as HTML and as Markdown, the index of
 * their search, and `llms.txt`. Their order and their sections are those of the contents, README.md.
 */
export function writeGuides(root: string, dist: string): void {
  const guides = globSync('apps/docs/guides/*.md', { cwd: root }).map((path) => readGuide(join(root, path)));
  const contents = guides.find(({ name }) => name === 'index');
  if (!contents) throw new Error('The guides have no contents.');
  const sections = sectionsOf(contents.text);
  const listed = sections.flatMap(({ pages }) => pages.map(({ name }) => name));
  const unlisted = guides.filter(({ name }) => name !== 'index' && !listed.includes(name));
  if (unlisted.length > 0)
    throw new Error(`The contents of the guides lack ${unlisted.map(({ name }) => name).join(', ')}.`);

  mkdirSync(join(dist, 'docs'), { recursive: true });
  mkdirSync(join(dist, 'assets'), { recursive: true });
  const styles = ['src/tokens.css', 'src/base.css', 'build/tables.css', 'build/guides.css'].map((path) =>
    readFileSync(join(root, 'apps/console', path), 'utf8'),
  );
  const sheet = asset(dist, 'guides.css', styles.join('\n'));
  const engine = asset(
    dist,
    'minisearch.js',
    readFileSync(fileURLToPath(import.meta.resolve('minisearch')), 'utf8'),
  );
  const script = asset(
    dist,
    'guides.js',
    readFileSync(join(root, 'apps/console/build/guides-search.js'), 'utf8').replace(
      'minisearch',
      `./${basename(engine)}`,
    ),
  );
  for (const guide of guides) {
    writeFileSync(join(dist, 'docs', `${guide.name}.html`), pageOf(guide, { sections, sheet, script }));
    writeFileSync(join(dist, 'docs', `${guide.name}.md`), guide.text);
  }
  writeFileSync(join(dist, 'docs/search.json'), JSON.stringify(guides.flatMap(entriesOf)));
  writeFileSync(join(dist, 'docs/llms.txt'), llmsText(contents, sections));
}

function readGuide(path: string): Guide {
  const text = readFileSync(path, 'utf8');
  const file = basename(path, '.md');
  const title = /^# (.+)$/m.exec(text)?.[1];
  if (title === undefined) throw new Error(`${path} has no heading.`);
  return { name: file === 'README' ? 'index' : file, title, text };
}

function sectionsOf(contents: string): Section[] {
  return contents
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      title: section.slice(0, section.indexOf('\n')),
      pages: [...section.matchAll(/^- \[(.+?)\]\(([\w-]+)\.md\): (.+)$/gm)].map(
        ([, title = '', name = '', what = '']) => ({ name, title, what }),
      ),
    }));
}

/** Writes a file whose name changes with its content, since browsers keep it for a year. */
function asset(dist: string, name: string, text: string): string {
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 8);
  const path = `assets/${name.replace('.', `-${digest}.`)}`;
  writeFileSync(join(dist, path), text);
  return path;
}

const slugOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function htmlOf(text: string): string {
  let tableCount = 0;
  return marked
    .parse(text, { async: false })
    .replaceAll(
      /<h([23])>(.*?)<\/h\1>/g,
      (_all, level: string, words: string) =>
        `<h${level} id="${slugOf(words.replaceAll(/<[^>]+>/g, ''))}">${words}</h${level}>`,
    )
    .replaceAll(
      /<a href="([\w-]+)\.md(#[\w-]+)?">/g,
      (_all, name: string, part = '') => `<a href="${addressOf(name)}${part}">`,
    )
    .replaceAll(
      /<pre><code(?: class="language-(\w+)[^"]*")?>/g,
      (_all, language = '') => `<pre tabindex="0"><code data-language="${language}">`,
    )
    .replaceAll(/<table>.*?<\/table>/gs, (table) => {
      tableCount += 1;
      return `<div class="frame" role="region" aria-label="Table ${tableCount}" tabindex="0">${table}</div>`;
    });
}

const addressOf = (name: string) => (name === 'README' || name === 'index' ? '/docs' : `/docs/${name}`);

/** What the search finds: each part of a page under its heading. */
function entriesOf({ name, title, text }: Guide) {
  return text.split(/^## /m).map((part, index) => {
    const heading = index === 0 ? title : part.slice(0, part.indexOf('\n'));
    return {
      id: `${addressOf(name)}${index === 0 ? '' : `#${slugOf(heading)}`}`,
      title: index === 0 ? title : `${title}: ${heading}`,
      text: part
        .replace(/^# .*$/m, '')
        .replaceAll(/[`*|[\]()#]/g, ' ')
        .replaceAll(/\s+/g, ' '),
    };
  });
}

function llmsText({ text }: Guide, sections: readonly Section[]): string {
  const [, first = ''] = /^# .+\n\n([^]*?)\n\n/.exec(text) ?? [];
  const parts = sections.map(({ title, pages }) =>
    [
      `## ${title}`,
      '',
      ...pages.map((page) => `- [${page.title}](/docs/${page.name}.md): ${page.what}`),
      '',
    ].join('\n'),
  );
  return [
    '# Insurance Verification Service',
    '',
    `> ${first.replaceAll('\n', ' ')}`,
    '',
    ...parts,
    '## Reference',
    '',
    '- [OpenAPI 3.1](/openapi.json?for=provider): every operation of a provider',
    '- [Problems](/docs/problems): every error of a call',
    '- [Reasons](/docs/reasons): why a verification failed',
    '',
  ].join('\n');
}

interface Site {
  readonly sections: readonly Section[];
  readonly sheet: string;
  readonly script: string;
}

function pageOf({ name, title, text }: Guide, { sections, sheet, script }: Site): string {
  const order = ['index', ...sections.flatMap(({ pages }) => pages.map((page) => page.name))];
  const titles = new Map(
    sections.flatMap(({ pages }) => pages.map((page) => [page.name, page.title] as const)),
  );
  const next = order[order.indexOf(name) + 1];
  const item = (path: string, words: string, isHere: boolean) =>
    `<li><a href="${path}"${isHere ? ' aria-current="page"' : ''}>${escape(words)}</a></li>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)} · Insurance Verification</title>
<link rel="icon" href="/favicon.ico" type="image/svg+xml">
<link rel="stylesheet" href="/console/${sheet}">
<link rel="alternate" type="text/markdown" href="/docs/${name}.md">
<script type="module" src="/console/${script}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the page</a>
<header>
<a class="product" href="/docs"><img src="/favicon.ico" alt="" width="22" height="22"> Insurance Verification</a>
<form role="search"><label for="search">Search</label><input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="Search"><ul id="found" hidden></ul></form>
<nav aria-label="Elsewhere"><a href="/docs/reference">API reference</a> <a href="/docs/problems">Problems</a> <a href="/status">Status</a></nav>
</header>
<div class="columns">
<nav aria-label="Guides"><details open><summary>Guides</summary>
${sections.map((section) => `<h2>${escape(section.title)}</h2>\n<ul>${section.pages.map((page) => item(`/docs/${page.name}`, page.title, page.name === name)).join('')}</ul>`).join('\n')}
</details></nav>
<main id="main">
${htmlOf(text)}
<footer><a href="/docs/${name}.md">This page as Markdown</a>${next === undefined ? '' : ` <a href="/docs/${next}">Next: ${escape(titles.get(next) ?? next)}</a>`}</footer>
</main>
</div>
</body>
</html>
`;
}
