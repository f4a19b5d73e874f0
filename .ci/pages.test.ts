import { expect, test } from 'vitest';
import { everyRow } from '../apps/api/faults/every-row.ts';
import { CONFIG_VARIABLES } from '../apps/api/src/config/environment.ts';
import { pages, rowsOf, textOf } from './pages.ts';

// Breaks when README grows back into a page that nobody reads to its end.
test('README is a short page', () => {
  const text = textOf('README.md');
  const lines = text.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(120);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(12 * 1024);
  expect(lines.filter((line) => line.length > 200)).toEqual([]);
});

// Breaks when a table or a paragraph needs a browser to be read.
test.each(pages.filter((page) => page.startsWith('apps/docs/') || page.startsWith('.github/')))(
  'no line of %s is longer than 160 characters',
  (page) => {
    // Commands are run as they are, and the list of operations is made from the router.
    const prose = textOf(page)
      .replaceAll(/^ *```[^]*?^ *```$/gm, '')
      .replaceAll(/^\| operation [^]*?\n\n/gm, '');
    expect(prose.split('\n').filter((line) => line.length > 160)).toEqual([]);
  },
);

// Breaks when a variable is added or removed without documentation.
test('the page of the configuration lists every variable, and no other', () => {
  const listed = textOf('apps/docs/configuration.md').matchAll(/^- `([A-Z][A-Z0-9_]+)`/gm);
  const variables = [...listed].map(([, name = '']) => name);
  expect(variables.toSorted()).toEqual(CONFIG_VARIABLES.toSorted());
});

test('the tables of states are those beside the code', () => {
  const page = textOf('apps/docs/states.md').replaceAll(/ {2,}/g, ' ');
  const source = textOf('packages/store/src/output/decide-disposition.ts');
  const rows = [...source.matchAll(/^ \* (\| \d .*)$/gm)].map(([, row = '']) =>
    row.replaceAll(/ +\|/g, ' |'),
  );
  expect(rows).toHaveLength(8);
  for (const row of rows) expect(page).toContain(row);
});

test('the table of faults has every row of the suite, each with a verdict', () => {
  const rows = rowsOf(textOf('apps/api/faults/README.md'));
  expect(rows.map(([first]) => Number(first))).toEqual(everyRow.map(({ number }) => number));
  for (const row of rows) expect(row.at(-1)).toMatch(/^(yes|NO)$/);
});
