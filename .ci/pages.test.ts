import { expect, test } from 'vitest';
import { FIGURE_ROWS, FIGURES_REGION, writeFigures } from '../apps/api/bench/report/figures.ts';
import { readTable } from '../apps/api/bench/report/markdown-table.ts';
import { everyRow } from '../apps/api/faults/every-row.ts';
import { MEASURED_REGION, writeMeasured } from '../apps/api/faults/report/measured.ts';
import { CONFIG_VARIABLES } from '../apps/api/src/config/environment.ts';
import { type OperationFact, OPERATIONS, Scope } from '../packages/schema/src/index.ts';
import { rowsOf, textOf } from './pages.ts';

// Breaks when README grows back into a page that nobody reads to its end.
test('README is a short page', () => {
  const text = textOf('README.md');
  const lines = text.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(150);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(12 * 1024);
  expect(lines.filter((line) => line.length > 200)).toEqual([]);
});

// Breaks when a variable is added or removed without documentation.
test('the table of the configuration has every variable, and no other', () => {
  const variables = rowsOf(textOf('apps/docs/configuration.md')).map(([first = '']) =>
    first.replaceAll('`', ''),
  );
  expect(variables.toSorted()).toEqual(CONFIG_VARIABLES.toSorted());
});

// Breaks when an operation, its route or its scopes change without documentation.
test('the table of the contract has every operation', () => {
  const facts: readonly [string, OperationFact][] = Object.entries(OPERATIONS);
  const operations = facts.map(([name, { method, path, scopes, forPeople }]) => {
    const any = forPeople ? 'people, no key' : 'any';
    const isAny = scopes.length === Scope.options.length;
    const scope = isAny ? any : scopes.map((one) => `\`${one}\``).join(', ') || 'none';
    return [`\`${name}\``, `\`${method} ${path}\``, scope];
  });
  const rows = rowsOf(textOf('apps/docs/contract.md')).map((cells) => cells.slice(0, 3));
  expect(rows.toSorted()).toEqual(operations.toSorted());
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

test('the table of faults has every row of the suite', () => {
  const numbers = rowsOf(textOf('apps/api/faults/README.md')).map(([first]) => Number(first));
  expect(numbers).toEqual(everyRow.map(({ number }) => number));
});

// Break when somebody edits generated text by hand: the generator's next run would undo the edit.
test('the table of figures is as the bench writes it, with every row and bound', () => {
  const page = textOf('apps/api/bench/README.md');
  expect(writeFigures(page, {}, 'never')).toBe(page);
  const rows = readTable(page, FIGURES_REGION).slice(1);
  expect(rows.map(([what]) => what)).toEqual(Object.values(FIGURE_ROWS).map(({ what }) => what));
});

test('the measured column of the faults is as the suite writes it', () => {
  const page = textOf('apps/api/faults/README.md');
  expect(writeMeasured(page, new Map())).toBe(page);
  const cells = readTable(page, MEASURED_REGION).slice(1);
  for (const row of cells) expect(row.at(-1)).toMatch(/^(holds|DOES NOT HOLD)(; |$)/);
});
