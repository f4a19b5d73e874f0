import { expect, test } from 'vitest';
import { fields } from './table.ts';

// Breaks if a line break in a patient's name forges a second field.
test('a value stays on its line', () => {
  expect(
    fields([
      ['name', 'Jane\nstate  complete'],
      ['no', 0],
    ]),
  ).toEqual([String.raw`name  Jane\u000astate  complete`, 'no    0']);
});
