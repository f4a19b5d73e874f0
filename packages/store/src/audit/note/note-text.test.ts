import { expect, test } from 'vitest';
import { EMPTY_ROOT } from '../tree.ts';
import { readSealText, type SealStatement, sealText } from './note-text.ts';

const seal: SealStatement = {
  origin: 'insurance-verification/audit/3fa94c21',
  treeSize: 51,
  root: EMPTY_ROOT,
  number: 2,
  firstId: 40n,
  lastId: 51n,
  at: new Date('2026-11-20T09:30:04.512Z'),
  settledAt: new Date('2026-11-20T09:30:04.498Z'),
  misdatedCount: 0,
  tables: [],
  previous: EMPTY_ROOT,
};

test('what a seal states is read from its text, of the first seal too', () => {
  expect(readSealText(sealText(seal))).toEqual(seal);
  const first = { ...seal, number: 1, firstId: 1n, settledAt: null, misdatedCount: 12, previous: null };
  expect(readSealText(sealText(first))).toEqual(first);
  const altered = { ...seal, tables: ['access_log_2026_11:trigger_off', 'staff:rules', '+3'] };
  expect(readSealText(sealText(altered))).toEqual(altered);
});

// Broke: the list of seals was a 500 for as long as somebody's change of a note stood, which it is there to show.
test.each([
  ['another word', 'seal 2', 'deal 2'],
  ['a month that no year has', 'time 2026-11', 'time 2026-13'],
  ['a settled time that no year has', 'settled 2026-11', 'settled 2026-13'],
  ['an hour that no day has', 'T09:', 'T25:'],
  ['a line more', 'previous', 'before\nprevious'],
  ['no word on its tables', 'tables as-made\n', ''],
  ['tables that are none', 'tables as-made', 'tables '],
])('a text with %s states nothing', (_, stated, forged) => {
  expect(readSealText(sealText(seal).replace(stated, forged))).toBeUndefined();
});
