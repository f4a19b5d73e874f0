import { expect, test } from 'vitest';
import { parseBirthDate } from './patient-of.ts';

test.each([
  ['1984-05-17', '1984-05-17'],
  ['19840517', '1984-05-17'],
  ['1984/05/17', '1984-05-17'],
  ['1984-05-17T00:00:00Z', '1984-05-17'],
  ['05/17/1984', '1984-05-17'],
  ['5/7/1984', '1984-05-07'],
  ['5/17/1984 12:00:00 AM', '1984-05-17'],
  ['05-07-1984', '1984-05-07'],
  ['May 17, 1984', '1984-05-17'],
  ['17 May 1984', '1984-05-17'],
  ['7-Sept-1984', '1984-09-07'],
  ['  1984-05-17 ', '1984-05-17'],
  ['2000-02-29', '2000-02-29'],
])('reads %j', (text, expected) => {
  expect(parseBirthDate(text)).toBe(expected);
});

// Asking with a wrong date is answered dob_mismatch; asking without one may be answered.
test.each([
  '',
  'unknown',
  '17/05/1984',
  '1984-17-05',
  '2001-02-29',
  '05/17/84',
  '1984-05',
  '1984-5-17',
  '0000-01-01',
  '1701-01-01',
  'Foo 17, 1984',
  '1984-05/17',
])('does not guess at %j', (text) => {
  expect(parseBirthDate(text)).toBeNull();
});
