import { expect, test } from 'vitest';
import { fields, layOut, table } from './table.ts';

// Breaks if a line break in a patient's name forges a second field.
test('a value stays on its line', () => {
  expect(
    fields([
      ['name', 'Jane\nstate  complete'],
      ['no', 0],
    ]),
  ).toEqual([String.raw`name  Jane\u000astate  complete`, 'no    0']);
});

const ID = `req_${'0'.repeat(26)}`;
const lines = (width: number, ...of: Parameters<typeof table>) => layOut(table(...of), width).lines;

test('columns align under their headings; what is not there shows as a dash', () => {
  const rows = [
    ['wide value', 1, 'x'],
    [null, undefined, ''],
  ];
  expect(lines(80, ['A', 'LONGER', 'C'], rows)).toEqual([
    'A           LONGER  C',
    'wide value  1       x',
    '-           -       -',
  ]);
});

test('no rows are no lines, not a heading over nothing', () => {
  expect(lines(80, ['A'], [])).toEqual([]);
});

// Breaks if a table wraps and becomes unreadable, or an id is cut and can no longer be copied.
test('texts are cut before columns are left out, and ids never', () => {
  const wide = table(
    ['ID', 'PAYER', 'NOTE', 'AT'],
    [[ID, 'A payer with a long name', 'x'.repeat(60), '12:00']],
  );
  for (const width of [200, 100, 80, 60, 50]) {
    const { lines: shown } = layOut(wide, width);
    expect(Math.max(...shown.map((line) => line.length))).toBeLessThanOrEqual(width);
    expect(shown[1]).toContain(ID);
  }
  expect(layOut(wide, 60).leftOut).toEqual(['AT']);
  expect(layOut(wide, 20).leftOut).toEqual(['PAYER', 'NOTE', 'AT']);
});

// Broke: at 60 columns `iv held list` showed `2026-11-22T…`.
test('a time is shown whole or not at all', () => {
  const at = '2026-11-22T09:30:00.000Z';
  const listed = table(['ID', 'REASON', 'AT'], [[ID, 'not_waiting', at]]);
  expect(layOut(listed, 80).lines[1]).toContain(at);
  for (const width of [60, 50, 40, 20]) {
    const { lines: shown, leftOut } = layOut(listed, width);
    expect(shown[1]).not.toContain('2026');
    expect(leftOut).toContain('AT');
  }
});
