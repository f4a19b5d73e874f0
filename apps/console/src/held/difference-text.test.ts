import { expect, test } from 'vitest';
import { differenceText } from './difference-text.ts';

// Broke: "swapped: characters 9 and 10" left open what was swapped, and of a day and a month it said nothing.
test.each([
  ['swapped', [9, 10], 'W123456789', 'W123456798', '⇄ two digits swapped: characters 9 and 10'],
  ['swapped', [1, 2], 'AB1', 'BA1', '⇄ two characters swapped: characters 1 and 2'],
  ['swapped', [6, 8], '1984-05-06', '1984-06-05', '⇄ day and month swapped'],
  ['swapped', [], '2026-01-10', '2026-10-01', '⇄ day and month swapped'],
  ['different', [4], '2026-12-31', '2025-12-31', '≠ one digit differs: character 4'],
  ['different', [2, 4], 'A1B2', 'A3B4', '≠ 2 digits differ: characters 2 and 4'],
  ['different', [3], 'AB', 'ABC', '≠ one character differs: character 3'],
  ['different', [], 'Active', 'Inactive', '≠ different'],
  ['near', [], 'Jane Doe', 'Jane Dole', '≈ nearly the same'],
  ['form', [], 'W-1', 'w1', '~ written differently'],
  ['added', [], null, 'x', '+ only offered'],
] as const)('%s at %j, %s and %s: %s', (difference, places, text, offered, words) => {
  expect(differenceText({ difference, places, text, offered })).toBe(words);
});
