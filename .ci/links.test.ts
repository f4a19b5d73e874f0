import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { pages, root, textOf } from './pages.ts';

/** What a page links to; addresses are left out. */
function linksOf(text: string): string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => !/^[a-z]+:/.test(link));
}

/** The places of a page that a link can name, as a code host makes them of its headings. */
function placesOf(text: string): string[] {
  const headings = [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)];
  return headings.map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Whether the link leads to a file, and to a heading of it where it names one. */
function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', place] = link.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(root, file))) return false;
  return place === undefined || !file.endsWith('.md') || placesOf(textOf(file)).includes(place);
}

test('the links of a page are found', () => {
  expect(linksOf('[a](b/c.md) [d](e.md#f), [g](#h), [i](https://j.example)')).toEqual([
    'b/c.md',
    'e.md#f',
    '#h',
  ]);
});

test('a heading is a place as code hosts name it', () => {
  expect(
    placesOf('# The API channel\n\n## What a 422 says\n\n```\n# none\n```\n\n## `error_reason`\n'),
  ).toEqual(['the-api-channel', 'what-a-422-says', 'error_reason']);
});

// A page that names the test or the file which holds a promise is worth what its links are.
test.each(pages)('every file and heading that %s links to is there', (page) => {
  expect(linksOf(textOf(page)).filter((link) => !leadsSomewhere(page, link))).toEqual([]);
});

// A docstring that sends its reader to a page they lack says less than none; most of them go to npm.
test('every page that a source names is in the repository', () => {
  const sources = execFileSync('git', ['grep', '-IohE', '[[:alnum:]/_.-]+\\.md\\b', '--', '*.ts', ':!.ci'], {
    cwd: root,
    encoding: 'utf8',
  });
  const named = [...new Set(sources.trim().split('\n'))];
  const isThere = (name: string) => pages.some((page) => page === name || basename(page) === name);
  expect(named.filter((name) => !isThere(name.replace(/^(\.\.?\/)+/, '')))).toEqual([]);
});
