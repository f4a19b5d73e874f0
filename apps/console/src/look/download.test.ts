import { expect, test } from 'vitest';
import { toCsv } from './download.ts';

// Breaks if a spreadsheet shows another value than the page, or runs what somebody typed as a reason.
test.each([
  ['plain', 'plain'],
  ['one, "two"', '"one, ""two"""'],
  ['two\nlines', '"two\nlines"'],
  ['=HYPERLINK("http://x")', '"\'=HYPERLINK(""http://x"")"'],
  ['@SUM(A1)', '"\'@SUM(A1)"'],
  ['=1\n2', '"\'=1\n2"'],
  ['-1+1', '"\'-1+1"'],
  [-1, '-1'],
  [null, ''],
  [false, 'false'],
])('%j is written as %s', (cell, written) => {
  expect(toCsv(['Name'], [[cell]])).toBe(`Name\r\n${written}\r\n`);
});
