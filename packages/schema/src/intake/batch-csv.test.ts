import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BATCH_COLUMNS } from './batch-columns.ts';
import { BatchCsvReader, type BatchCsvRow } from './batch-csv.ts';

const HEADER = 'reference,patient_info.name,patient_info.dob';

function read(parts: readonly string[], header = `${HEADER}\n`) {
  const reader = new BatchCsvReader();
  const rows = [header, ...parts].flatMap((part) => reader.push(part));
  rows.push(...reader.end());
  return { reader, rows };
}

const cellsOf = (rows: readonly BatchCsvRow[]) => rows.map(({ cells, fault }) => fault?.type ?? cells);

test('reads quoted cells, any line end, and a byte order mark', () => {
  const { reader, rows } = read(['"a ""1""","Roe,\r\nJane",\rb,,1\r\n', 'c,d,"e"'], `\uFEFF${HEADER}\r\n`);
  expect(reader.columns).toEqual(HEADER.split(','));
  expect(cellsOf(rows)).toEqual([
    ['a "1"', 'Roe,\r\nJane', ''],
    ['b', '', '1'],
    ['c', 'd', 'e'],
  ]);
});

test('counts no row whose cells are all empty', () => {
  const { reader, rows } = read([',,\n\n  \t\n"","",\r\n,,,\na,b,c\n,,']);
  expect(cellsOf(rows)).toEqual([['a', 'b', 'c']]);
  expect(reader.rowCount).toBe(1);
});

test('rejects the row with a stray quote or too many cells, and reads the next', () => {
  const many = 'x,'.repeat(500_000);
  const { reader, rows } = read([`a,6" pipe,\n"b"x,,\n${many}\n${'"y\n",'.repeat(20)}\nc,d,e\n`]);
  expect(cellsOf(rows)).toEqual([
    'csv_quote',
    'csv_quote',
    'csv_cell_count',
    'csv_cell_count',
    ['c', 'd', 'e'],
  ]);
  expect(rows[2]?.cells).toHaveLength(6);
  expect(reader.fault).toBeNull();
});

test('ends at a quote that is open, and at a row of more than 1 MiB, and names the row', () => {
  const open = read(['a,b,c\nd,"e\nf,g,h\n']);
  expect([cellsOf(open.rows), open.reader.fault]).toEqual([
    [['a', 'b', 'c']],
    {
      loc: ['body', 2],
      msg: 'The file is not CSV at row 2: a quoted cell is not closed',
      type: 'csv_parsing',
    },
  ]);
  for (const start of ['a,', 'a,"']) {
    const parts = [start, ...Array.from({ length: 20 }, () => 'x'.repeat(65_536)), '\nb,c,d\n'];
    const { reader, rows } = read(parts);
    expect([rows, reader.fault?.msg]).toEqual([
      [],
      expect.stringContaining('row 1: a row is larger than 1 MiB'),
    ]);
  }
});

test.each([
  ['sep=;\na;b', 'csv_delimiter', /semicolons.*sep=.*region settings/],
  ['sep=,\na,b', 'csv_delimiter', /^The first line should be the header row. Remove/],
  [HEADER.replaceAll(',', ';'), 'csv_delimiter', /semicolons\. Excel takes/],
  [HEADER.replaceAll(',', '\t'), 'csv_delimiter', /tabs$/],
  ['SEP=;\na;b', 'csv_delimiter', /semicolons.*sep=/],
  [`"${HEADER.replaceAll(',', '";"')}"`, 'csv_delimiter', /semicolons\. Excel takes/],
  [`"${HEADER.replaceAll(',', '"\t"')}"`, 'csv_delimiter', /tabs$/],
  ['"reference"x;"dob"', 'csv_quote', /quotation mark/],
  ['reference,Smith', 'csv_column', /Column 2/],
  ['reference,row,row', 'csv_column_twice', /Column 3/],
  ['reference,patient"s', 'csv_quote', /quotation mark/],
  ['x,'.repeat(50), 'csv_column', /Column 1/],
])('the header row %j is a %s', (header, type, msg) => {
  const { reader, rows } = read(['a,b\n'], `${header}\n`);
  expect([rows, reader.fault]).toEqual([
    [],
    { loc: expect.anything(), type, msg: expect.stringMatching(msg) },
  ]);
});

test('ignores the columns of a file of rejected rows', () => {
  const { reader, rows } = read(['2,body: Field required,r2,Jane,\n'], `row,error,${HEADER}\n`);
  expect(reader.columns).toEqual([null, null, ...HEADER.split(',')]);
  expect(rows[0]?.fault).toBeNull();
});

// Without it a row could be read another way when it lies across two packets, and a resumed file would differ.
test('reads a text the same way in whatever parts it comes', () => {
  const piece = fc.constantFrom('a', '"', '""', ',', '\n', '\r\n', '\r', ' ', 'é', ',,', '"b"');
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 40 }),
      fc.array(fc.nat(60), { maxLength: 6 }),
      (pieces, cuts) => {
        const text = pieces.join('');
        const places = [0, ...cuts.filter((at) => at <= text.length).toSorted((a, b) => a - b), text.length];
        const parts = places.slice(1).map((end, index) => text.slice(places[index], end));
        const whole = read([text]);
        const cut = read(parts);
        expect([cut.rows, cut.reader.fault]).toEqual([whole.rows, whole.reader.fault]);
      },
    ),
    { numRuns: 2_000 },
  );
});

// Without it a cell could come back as another value.
test('reads back any cells that were written as RFC 4180 has it', () => {
  const cell = fc.string({ unit: 'binary', maxLength: 12 });
  const row = fc.array(cell, { minLength: BATCH_COLUMNS.length, maxLength: BATCH_COLUMNS.length });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 6 }), fc.constantFrom('\r\n', '\n', '\r'), (rows, lineEnd) => {
      const quoted = rows.map((cells) => cells.map((one) => `"${one.replaceAll('"', '""')}"`).join(','));
      const text = [BATCH_COLUMNS.join(','), ...quoted].join(lineEnd);
      const kept = rows.filter((cells) => cells.some((one) => /[^ \t]/.test(one)));
      expect(cellsOf(read([text], '').rows)).toEqual(kept);
    }),
  );
});
