import { expect, test } from 'vitest';
import { defaultSchemas } from '../default-schemas.ts';
import { judgeGender } from './asked-when.ts';
import { batchColumnsOf, batchExampleRow, rowOfCells } from './batch-columns.ts';
import { judgeBatchRow } from './batch-row.ts';

const now = new Date('2026-11-29T12:00:00Z');

/** A row of a CSV file with this cell in its column `gender`. */
function judged(gender: string) {
  const cells = { ...batchExampleRow('Payer Plan 1'), gender };
  const { columns } = batchColumnsOf(Object.keys(cells));
  return judgeBatchRow(defaultSchemas, rowOfCells(columns ?? [], Object.values(cells)), { now });
}

// Breaks if a clinic's file cannot give what a payer asks for, or if the body of a request has a member that the contract lacks.
test.each([
  ['F', 'F'],
  [' m ', 'M'],
  ['u', 'U'],
])('a cell %j of a batch is the gender %s of its request, outside of the body', (cell, gender) => {
  const row = judged(cell);
  expect(row).toMatchObject({ faults: [], gender });
  expect('request' in row && Object.keys(row.request)).not.toContain('gender');
});

test('an empty cell gives none', () => {
  expect(judged('')).not.toHaveProperty('gender');
});

// A payer rejects DMG03 with any other letter, and the inquiry is paid for.
test.each(['female', 'X', '1'])('%j is refused', (text) => {
  const fault = { msg: 'Value should be F, M or U', type: 'literal_error' };
  expect(judgeGender(text)).toEqual({ malformed: fault });
  expect(judged(text).faults).toEqual([{ loc: ['body', 'gender'], ...fault }]);
});
