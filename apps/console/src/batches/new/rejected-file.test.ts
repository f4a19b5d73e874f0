import { expect, test } from 'vitest';
import { rejectedName, rejectedRows } from './rejected-file.ts';

// Breaks if somebody corrects and sends again another row than the one that was rejected, or another value.
test('the rejected rows of a CSV file are those that were sent, with each fault', () => {
  const rows = [['a', '+1 800'], ['b', 'x, "y"', 'one too many'], ['c']];
  const text = rejectedRows(
    { format: 'csv', header: ['reference', 'phone'], columns: null, rows, hasMark: true },
    [
      { row: 1, loc: ['body', 'payer_info', 'name'], msg: 'Field required' },
      { row: 1, loc: ['body', 'service_date'], msg: 'Not a day' },
      { row: 2, loc: ['body'], msg: 'Cells' },
    ],
  );
  expect(text).toBe(
    [
      '\uFEFFrow,error,reference,phone',
      '1,payer_info.name: Field required; service_date: Not a day,a,+1 800',
      '2,Cells,b,"x, ""y""",one too many',
      '',
    ].join('\r\n'),
  );
});

test('the rejected lines of an NDJSON file are objects, also where they were none', () => {
  const text = rejectedRows(
    {
      format: 'ndjson',
      header: [],
      columns: null,
      rows: ['{"reference":"a"}', '{"ref', '[]'],
      hasMark: false,
    },
    [
      { row: 1, loc: ['body'], msg: 'Bad' },
      { row: 2, loc: ['body'], msg: 'No JSON' },
      { row: 3, loc: ['body'], msg: 'A list' },
    ],
  );
  expect(text).toBe(
    '{"row":1,"error":"Bad","reference":"a"}\n{"row":2,"error":"No JSON","line":"{\\"ref"}\n{"row":3,"error":"A list","line":"[]"}\n',
  );
});

test('it is named after the file that was sent', () => {
  expect(rejectedName({ name: 'visits.csv' }, { format: 'csv' })).toBe('visits.csv.rejected.csv');
});

test('the rows of a file of rejected rows get new faults, and one with a stray quote stays as it is', () => {
  const fault = { loc: ['body'], msg: 'A quote', type: 'csv_quote' };
  const rows = [['7', 'Cells', 'a', 'b'], { text: '8,Quote,c,6" pipe', fault }];
  const columns = [null, null, 'reference', 'patient_info.name'] as const;
  const header = ['row', 'error', 'reference', 'patient_info.name'];
  const text = rejectedRows({ format: 'csv', header, columns, rows, hasMark: false }, [
    { row: 1, loc: ['body', 'patient_info'], msg: 'Bad' },
    { row: 2, loc: ['body'], msg: 'A quote' },
  ]);
  expect(text).toBe(
    'row,error,reference,patient_info.name\r\n1,patient_info: Bad,a,b\r\n2,A quote,8,Quote,c,6" pipe\r\n',
  );
});
