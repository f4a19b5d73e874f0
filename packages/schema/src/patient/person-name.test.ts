import { expect, test } from 'vitest';
import { initialsOf } from './person-name.ts';

// Break when a result that waits is shown by more of a name than its owner needs, or by none.
test.each([
  ['Jane Doe', 'J. D.'],
  ['jane q. public doe', 'J. D.'],
  ['Doe, Jane', 'D. J.'],
  ['Åse', 'Å.'],
  ['  (李) 小龙 ', '李. 小.'],
  ['…', null],
  [null, null],
])('%s is %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
