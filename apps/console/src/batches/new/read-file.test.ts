import { expect, test } from 'vitest';
import { readFile } from './read-file.ts';

const read = (name: string, content: string | Uint8Array<ArrayBuffer>) =>
  readFile(new File([content], name), new AbortController().signal);

// Breaks if the page numbers rows otherwise than the service, whose faults name them.
test('the header row and blank lines of a CSV file do not count; quoted cells have lines', async () => {
  const file = await read(
    'visits.csv',
    '\uFEFFreference,patient_info.address\r\n"a","1 Main St\nChicago"\r\n\r\nb,\r\n',
  );
  expect(file).toMatchObject({
    format: 'csv',
    hasMark: true,
    columns: ['reference', 'patient_info.address'],
    rows: [
      ['a', '1 Main St\nChicago'],
      ['b', ''],
    ],
    fault: null,
  });
});

test('a file that is longer than a part is read whole, and its letters are not cut', async () => {
  const lines = Array.from({ length: 9_000 }, (_, index) => `visit-${index},Zoë Ünal ${index}`);
  const file = await read('visits.csv', ['reference,patient_info.name', ...lines].join('\r\n'));
  expect(file.rows).toHaveLength(9_000);
  expect(file.rows.at(-1)).toEqual(['visit-8999', 'Zoë Ünal 8999']);
  const asLines = await read('visits.ndjson', `${lines.join('\n')}\n\n`);
  expect(asLines.rows).toHaveLength(9_000);
  expect(asLines.rows.at(-1)).toBe('visit-8999,Zoë Ünal 8999');
});

// Parts are 128 KiB.
test('an end of a line that lies in two parts is one', async () => {
  const start = 'reference,patient_info.name\r\na,';
  const name = 'x'.repeat(128 * 1024 - start.length - 1);
  const file = await read('visits.csv', `${start}${name}\r\nb,c\r\n`);
  expect(file.rows).toEqual([
    ['a', name],
    ['b', 'c'],
  ]);
});

test.each([
  ['visits.xlsx', 'PK\u0003\u0004', /Excel workbook/],
  ['visits.csv', 'PK\u0003\u0004', /Excel workbook/],
  ['visits.txt', 'reference\na\n', /should end with .csv or .ndjson/],
  ['visits.csv', '', /Column|no rows/],
  ['visits.csv', 'reference\n', /no rows/],
  ['visits.csv', 'reference;service_date\na;b\n', /semicolons/],
  ['visits.csv', 'reference,patient\na,b\n', /^Column 2 of the header row should be one of/],
  ['visits.csv', 'reference,service_date\na,"b\n', /cannot be read at row 1/],
  ['visits.csv', 'sep=;\nreference;service_date\n', /semicolons.*region settings/],
  ['visits.csv', new Uint8Array([0x72, 0x65, 0x66, 0x0a, 0xfc, 0x0a]), /not in UTF-8/],
])('%s that holds %j cannot be sent, and says why', async (name, content, fault) => {
  expect((await read(name, content)).fault).toMatch(fault);
});

// Breaks if one cell with a quote, such as a note, kept the other rows from being sent.
test('a row with a stray quote is a fault of its own', async () => {
  const file = await read('visits.csv', 'reference,service_date\na,b"c\nd,e\n,\n');
  expect(file).toMatchObject({
    fault: null,
    rows: [{ text: 'a,b"c', fault: { type: 'csv_quote' } }, ['d', 'e']],
  });
});

test('a fault early in a long file ends its reading', async () => {
  const file = await read('visits.csv', `reference,service_date\na,"${'d,e\n'.repeat(600_000)}`);
  expect(file.fault).toMatch(/cannot be read at row 1/);
});

test('a reading that is given up ends', async () => {
  const reading = readFile(new File(['reference\na\n'], 'visits.csv'), AbortSignal.abort());
  await expect(reading).rejects.toThrow(/abort/i);
});
