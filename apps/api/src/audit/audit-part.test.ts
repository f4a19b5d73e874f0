import type { AuditLine } from '@insurance-verification/schema';
import { EXAMPLE_IDS, OPERATIONS } from '@insurance-verification/schema/contract';
import { expect, test } from 'vitest';
import { CSV_HEADING, toCsvLine } from './audit-part.ts';

const { page } = OPERATIONS['audit.list'].answers as {
  readonly page: { readonly items: readonly [AuditLine] };
};
const [exampleLine] = page.items;

test('the example of the contract is what an export writes', () => {
  const { csv } = OPERATIONS['audit.export'].answers as {
    readonly csv: { readonly items: readonly string[] };
  };
  expect(csv.items).toEqual([CSV_HEADING, toCsvLine(exampleLine)]);
});

test('a line has a value for each name of the heading, and nothing for null', () => {
  const cells = toCsvLine(exampleLine).trimEnd().split(',');
  expect(cells).toHaveLength(CSV_HEADING.split(',').length);
  expect(cells.slice(7)).toEqual([
    'false',
    '',
    '',
    'false',
    'done',
    'billing',
    '',
    '192.0.2.10',
    '',
    'Main Street Dental',
    '',
    '1',
    EXAMPLE_IDS.account,
    'Main Street Dental',
    '',
    '',
    'live',
  ]);
});

// Without it whoever gives a reason could run a formula in the auditor's spreadsheet.
test.each([
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ['+1', `"'+1"`],
  ['=1\n2', `"'=1\n2"`],
  ['two\nlines, and more', '"two\nlines, and more"'],
  ['a=b', 'a=b'],
])('%j is written as %j', (reason, written) => {
  expect(toCsvLine({ ...exampleLine, reason }).includes(`,false,${written},,false,done,`)).toBe(true);
});
