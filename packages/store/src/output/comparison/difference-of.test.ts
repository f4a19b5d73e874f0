import { expect, test } from 'vitest';
import { differenceOf } from './difference-of.ts';

test.each([
  ['W123456789', 'W123456789', 'none'],
  [null, '', 'none'],
  [null, 'x', 'added'],
  ['x', null, 'missing'],
  ['W-123 456', 'w123456', 'form'],
  ['W123456789', 'W123456798', 'swapped'],
  ['1984-05-06', '1984-06-05', 'swapped'],
  ['Jane Doe', 'DOE, Jane', 'near'],
  ['Jane Doe', 'Jane Dow', 'near'],
  ['Catherine Roe', 'Katherine Ro', 'near'],
  ['W123456789', 'W123456', 'different'],
  ['1984-05-17', '1991-12-24', 'different'],
  ['PPO', 'HMO', 'different'],
  ['12', '21', 'swapped'],
  ['a', 'b', 'near'],
])('%j and %j: %s', (other, offered, difference) => {
  expect(differenceOf(other, offered)).toBe(difference);
});
