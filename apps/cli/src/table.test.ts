import { expect, test } from 'vitest';
import { fields, table } from './table.ts';

test('columns align under their headings; what is not there shows as a dash', () => {
  expect(
    table(
      ['A', 'LONGER', 'C'],
      [
        ['wide value', 1, 'x'],
        [null, undefined, ''],
      ],
    ),
  ).toEqual(['A           LONGER  C', 'wide value  1       x', '-           -       -']);
});

test('no rows are no lines, not a heading over nothing', () => {
  expect(table(['A'], [])).toEqual([]);
});

// Breaks if a line break in a patient's name forges a second field.
test('a value stays on its line', () => {
  expect(
    fields([
      ['name', 'Jane\nstate  complete'],
      ['no', 0],
    ]),
  ).toEqual([String.raw`name  Jane\u000astate  complete`, 'no    0']);
});
