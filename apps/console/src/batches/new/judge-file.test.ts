import { createSchemas, type BatchColumn } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { judgeFile } from './judge-file.ts';

const schemas = createSchemas({ payers: ['Bluefield', 'Harbor', 'Meridian', 'Northstar'] });
const now = new Date('2026-11-20T12:00:00Z');
const { signal } = new AbortController();

const COLUMNS: readonly BatchColumn[] = [
  'reference',
  'patient_info.subscriber_id',
  'patient_info.dob',
  'payer_info.name',
  'provider_info.npi',
  'provider_info.name',
];
const good = ['a', 'W1', '1984-05-17', 'Bluefield', '1234567893', 'Dr. Roe'];
const judge = (
  rows: readonly (readonly string[] | string)[],
  columns: readonly BatchColumn[] | null = COLUMNS,
) =>
  judgeFile(
    { rows, columns },
    { schemas, defaults: { callbackUrl: 'https://clinic.example/verified' }, now },
    signal,
  );

// Breaks if somebody sends a file that the page called good, and gets rejected rows back.
test('a fault names its row, its reference and its member', async () => {
  const { rejectedCount, faults } = await judge([
    good,
    ['b', '', ...good.slice(2)],
    ['c', 'W3'],
    ['a', ...good.slice(1)],
  ]);
  expect(rejectedCount).toBe(3);
  expect(faults).toMatchObject([
    {
      row: 2,
      reference: 'b',
      loc: ['body', 'patient_info', 'subscriber_id'],
      msg: 'Field required',
    },
    { row: 3, reference: null, loc: ['body'], msg: 'The row should have as many cells as the header row' },
    {
      row: 4,
      reference: 'a',
      loc: ['body', 'reference'],
      msg: 'The reference should be unique in the batch',
    },
  ]);
});

test('a line of NDJSON that is no JSON is a fault of its row only', async () => {
  const line = JSON.stringify({
    patient_info: { subscriber_id: 'W1' },
    payer_info: { name: 'Bluefield' },
    provider_info: { npi: '1234567893', name: 'Dr. Roe' },
  });
  const { faults } = await judge([line, '{"patient_info":', line, '[]'], null);
  expect(faults.map(({ row, msg }) => [row, msg])).toEqual([
    [2, 'JSON decode error'],
    [4, 'Input should be a valid dictionary or object to extract fields from'],
  ]);
});

test('what a spreadsheet did is counted by column, and is not a fault', async () => {
  const spoilt = ['W1', '30819', 'Bluefield', '123456789', 'Dr. Roe'];
  const { rejectedCount, doubts } = await judge(
    Array.from({ length: 450 }, (_, index) => [`r${index}`, ...spoilt]),
  );
  expect(rejectedCount).toBe(0);
  expect(doubts).toEqual([
    { column: 'patient_info.dob', doubt: 'date_as_number', count: 450, rows: [1, 2, 3, 4, 5] },
    { column: 'provider_info.npi', doubt: 'lost_zero', count: 450, rows: [1, 2, 3, 4, 5] },
  ]);
});
