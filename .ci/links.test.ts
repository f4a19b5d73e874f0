import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { pages, repositoryFiles, root, textOf } from './pages.ts';

/** The link targets of a page, images among them, without addresses of the web and of the service. */
function linksOf(text: string): string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|<(?:a|img) [^>]*?(?:href|src)="([^"]+)"/g)].map(
    ([, link, attribute]) => link ?? attribute ?? '',
  );
  // One that begins with a slash leads into the service, which tests of the guides follow.
  return links.filter((link) => !/^(?:[a-z]+:|\/)/.test(link));
}

/** The anchors of a page, as a code host derives them from headings. */
function placesOf(text: string): string[] {
  const headings = [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)];
  return headings.map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Whether the link leads to a file or folder of the repository, and to a heading in it if it names one. */
function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', place] = link.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  const folder = file === '.' ? '' : `${file.replace(/\/$/, '')}/`;
  if (!repositoryFiles.some((name) => name === file || name.startsWith(folder))) return false;
  return place === undefined || !file.endsWith('.md') || placesOf(textOf(file)).includes(place);
}

test('the links of a page are found', () => {
  expect(
    linksOf('[a](b/c.md) [d](e.md#f), [g](#h), [i](https://j.example), <img alt="k" src="l.png">'),
  ).toEqual(['b/c.md', 'e.md#f', '#h', 'l.png']);
});

test('a heading is a place as code hosts name it', () => {
  expect(
    placesOf('# The API channel\n\n## What a 422 says\n\n```\n# none\n```\n\n## `error_reason`\n'),
  ).toEqual(['the-api-channel', 'what-a-422-says', 'error_reason']);
});

// A page's promises refer to tests and files: a broken link makes them worthless.
test.each(pages)('every file and heading that %s links to is there', (page) => {
  expect(linksOf(textOf(page)).filter((link) => !leadsSomewhere(page, link))).toEqual([]);
});

// A docstring must not send its reader to a missing page; most of them are published to npm.
test('every page that a source names is in the repository', () => {
  const sources = execFileSync('git', ['grep', '-IohE', '[[:alnum:]/_.-]+\\.md\\b', '--', '*.ts', ':!.ci'], {
    cwd: root,
    encoding: 'utf8',
  });
  const named = [...new Set(sources.trim().split('\n'))];
  const isThere = (name: string) => pages.some((page) => page === name || page.endsWith(`/${name}`));
  expect(named.filter((name) => !isThere(name.replace(/^(\.\.?\/)+/, '')))).toEqual([]);
});
