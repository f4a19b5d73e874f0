import { expect, test } from 'vitest';
import { readerCount, readersOf } from './readers-of.ts';

const line = (name: string | null, operation: string, count: number, last_at: string) => ({
  key_id: name === null ? null : `stf_${name}`,
  name,
  operation,
  count,
  first_at: '2026-11-01T00:00:00.000Z',
  last_at,
});
const dayOf = (at: string) => at.slice(0, 10);

// Broke: a list of fifty requests put a line on fifty timelines, and each reader took as many lines as they read.
test('a person is one line a day, and a list is no reading', () => {
  const lines = [
    line('Ada', 'requests.view', 2, '2026-11-20T09:30:00.000Z'),
    line('Ada', 'requests.reveal', 1, '2026-11-20T10:30:00.000Z'),
    line('Ada', 'deliveries.list', 40, '2026-11-20T11:30:00.000Z'),
    line('Ada', 'requests.proof', 1, '2026-11-21T08:00:00.000Z'),
    line('Bo', 'requests.search', 7, '2026-11-19T08:00:00.000Z'),
    line(null, 'requests.result', 1, '2026-11-18T08:00:00.000Z'),
    line('Ada', 'requests.create', 1, '2026-11-22T08:00:00.000Z'),
  ];
  expect(readersOf(lines, dayOf).map(({ headline, details }) => [headline, ...details])).toEqual([
    ['Ada read it', 'Read the proof of verification.'],
    [
      'Ada read it 3 times',
      'Opened the page, 2 times.',
      'Looked at the patient.',
      'Saw it in a list, 40 times.',
    ],
    ['Bo saw it in a list 7 times'],
    ['Somebody read it', 'Read the result.'],
  ]);
  expect(readerCount(lines)).toBe(3);
  expect(readersOf([], dayOf)).toEqual([]);
});
