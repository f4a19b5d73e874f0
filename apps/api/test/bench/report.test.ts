import { expect, test } from 'vitest';
import { intakeTable, middleOf, ratioOf } from '../../bench/intake/intake-table.ts';
import type { Intake } from '../../bench/intake/measure-intake.ts';
import { type WorkersRound, workersTable } from '../../bench/intake/workers-table.ts';
import { cpuEach } from '../../bench/report/cpu-each.ts';
import { writeFigures } from '../../bench/report/figures.ts';
import { readTable, writeTable } from '../../bench/report/markdown-table.ts';
import { medianOf } from '../../bench/report/median-of.ts';
import { recordFigures } from '../../bench/report/record-figures.ts';
import { readSettings } from '../../bench/settings.ts';

const aRound = (perSecond: number): Intake => ({
  perSecond,
  p50Ms: 1,
  p99Ms: 2,
  failedCount: 1,
  mainUs: 80,
  allUs: 90,
  postgresUs: 70,
  idleShare: 0.1,
  othersShare: 0.01,
  commitsPerSecond: 300,
  rowsPerCommit: 20,
});

const PAGE = `before

<!-- begin figures, written by the bench -->

| what |
| ---- |

<!-- end figures, written by the bench -->

after
`;

test('a median of an even count is the mean of the middle two', () => {
  expect([medianOf([3, 1, 2]), medianOf([4, 1, 2, 3]), medianOf([])]).toEqual([2, 2.5, Number.NaN]);
});

// A ratio of two medians would compare the floor's good hour with the service's bad one.
test('the ratio is the median of the rounds’ own', () => {
  const [service, floor] = [
    [100, 500, 90].map((rate) => aRound(rate)),
    [200, 1_000, 100].map((rate) => aRound(rate)),
  ];
  expect(ratioOf(service, floor)).toBe(0.5);
  expect(middleOf(floor)).toEqual({ ...aRound(200), failedCount: 3 });
});

test('what /proc would tell is not told without it, and the rest is', () => {
  const untold = { mainUs: Number.NaN, allUs: Number.NaN, postgresUs: Number.NaN };
  const shares = { idleShare: Number.NaN, othersShare: Number.NaN };
  const table = intakeTable([{ name: 'service', rounds: [{ ...aRound(100), ...untold, ...shares }] }]);
  expect(table.split('\n')[1]?.match(/not told|\S+/g)).toEqual([
    'service',
    '100',
    '1.0',
    '2.0',
    ...Array<string>(5).fill('not told'),
    '300',
    '20.0',
    '1',
  ]);
  expect([cpuEach(null, 1), cpuEach(untold, 1)]).toEqual(['not told', 'not told']);
  expect(cpuEach({ mainUs: 800, allUs: 900, postgresUs: 700 }, 10)).toBe('90 (main 80) + 70 µs');
});

test('a part’s rows are written, and those of the parts that did not run stay', () => {
  const first = writeFigures(PAGE, { start: { service: '1.0 s, 0.5 s' } }, '2026-01-01');
  const second = writeFigures(first, { claims: { service: 'p50 1 ms', ratio: '1.01' } }, '2026-01-02');
  const rows = readTable(second, 'figures, written by the bench');
  const row = (what: string) => rows.find(([first_ = '']) => first_.startsWith(what))?.slice(1);
  expect(row('ready')).toEqual(['–', '1.0 s, 0.5 s', '–', '–', '–', '3 s, 1.5 s', '2026-01-01']);
  expect(row('a claim')?.slice(1, 3)).toEqual(['p50 1 ms', '1.01']);
  expect(row('requests stored, 16')?.at(-1)).toBe('not yet');
  expect(second.startsWith('before\n\n') && second.endsWith('\n\nafter\n')).toBe(true);
  expect(writeFigures(second, {}, 'never')).toBe(second);
});

test('a table with pipes in its cells is read as it was written', () => {
  const table = [
    ['what', 'b'],
    ['a | b', '$1 $&'],
  ];
  const name = 'figures, written by the bench';
  expect(readTable(writeTable(PAGE, name, table), name)).toEqual(table);
  expect(() => readTable('nothing', name)).toThrow(name);
});

test('only a clean run of full length writes README', () => {
  const settings = {
    seconds: 5,
    rounds: 10,
    connectionCounts: [64],
    withFastapi: false,
    withPeers: false,
    volumeRowCount: 4_000,
  };
  expect(recordFigures(settings, false, {}, '')).toBe('the run was not clean');
  for (const short of [{ seconds: 1 }, { rounds: 9 }]) {
    expect(recordFigures({ ...settings, ...short }, true, {}, '')).toMatch(/shorter than 10 rounds of 5 s/);
  }
});

test('a bound that is no number is named', () => {
  expect(readSettings({})).toEqual({
    seconds: 5,
    rounds: 10,
    connectionCounts: [16, 64],
    withFastapi: false,
    withPeers: false,
    volumeRowCount: 1_000_000,
  });
  expect(readSettings({ BENCH_CONNECTIONS: '8', BENCH_SECONDS: '0.5', BENCH_FASTAPI: '1' })).toMatchObject({
    connectionCounts: [8],
    seconds: 0.5,
    withFastapi: true,
  });
  expect(readSettings({ BENCH_ROUNDS: '-1' })).toBe('BENCH_ROUNDS: "-1" is no number above 0, such as 5.');
  expect(readSettings({ BENCH_CONNECTIONS: '16,,64' })).toContain('BENCH_CONNECTIONS: ""');
});

// Without it a slow minute would count for the one or for the several: both halves of a round had the same.
test('several processes are compared with one as busy, and with one that has all their connections, by round', () => {
  const aLoad = (
    round: number,
    workerCount: number,
    connectionCount: number,
    nodeUs: number,
  ): WorkersRound => ({
    round,
    workerCount,
    connectionCount,
    perSecond: 1_000,
    failedCount: 1,
    nodeUs,
    postgresUs: nodeUs,
    rowsPerCommit: 4,
  });
  const rounds = [100, 300, 900].flatMap((us, round) => [
    aLoad(round, 1, 8, us),
    aLoad(round, 6, 8, us * 1.5),
    aLoad(round, 1, 48, us / 2),
  ]);
  const lines = workersTable(rounds).split('\n');
  expect(lines.map((line) => line.trim().split(/ {2,}/))).toEqual([
    [
      'WORKERS x connections',
      'a second',
      'node',
      'PostgreSQL',
      'rows/commit',
      'of one as busy',
      'of one with all',
      'failed',
    ],
    ['1 x 8', '1000', '300', '300', '4.0', '1.00', '1.00', '3'],
    ['1 x 48', '1000', '150', '150', '4.0', '1.00', '1.00', '3'],
    ['6 x 8', '1000', '450', '450', '4.0', '1.50', '3.00', '3'],
  ]);
});
