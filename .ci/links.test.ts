import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** The Markdown files of the repository, those not committed yet included. */
const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((page) => existsSync(join(root, page)));

/** Paths that a page links to; addresses and places within the page itself are left out. */
function linksOf(text: string): string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => !/^([a-z]+:|#)/.test(link)).map((link) => link.replace(/#.*$/, ''));
}

test('the links of a page are found', () => {
  expect(linksOf('[a](b/c.md) [d](e.md#f), [g](#h), [i](https://j.example)')).toEqual(['b/c.md', 'e.md']);
});

// A page that names the test or the file which holds a promise is worth what its links are.
test.each(pages)('every file that %s links to is there', (page) => {
  const links = linksOf(readFileSync(join(root, page), 'utf8'));
  expect(links.filter((link) => !existsSync(join(root, dirname(page), link)))).toEqual([]);
});
