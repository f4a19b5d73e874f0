import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { connectionCountOf } from './process-size.ts';

const guide = readFileSync(new URL('../../../../apps/docs/deploying.md', import.meta.url), 'utf8');

// Breaks if an operator sizes `max_connections` by a table that the processes do not keep to.
test('the table of sizes tells the connections that the processes may hold', () => {
  // Cores, WORKERS, DATABASE_POOL_MAX, and of max_connections the workers', the supervisor's.
  const lines = [...guide.matchAll(/^\| [^|]+ \| (\d+) +\| (\d+) +\| \d+: (\d+) and (\d+) and \d+/gm)];
  const told = lines.map(([, workers, poolMax, ofWorkers, ofSupervisor]) => ({
    size: { workers: Number(workers), databasePoolMax: Number(poolMax) },
    count: Number(ofWorkers) + Number(ofSupervisor),
  }));
  expect(told.length).toBeGreaterThanOrEqual(3);
  for (const { size, count } of told) expect(connectionCountOf(size), JSON.stringify(size)).toBe(count);
});

test('one process alone has its pool and two more', () => {
  expect(connectionCountOf({ workers: 1, databasePoolMax: 20 })).toBe(22);
});
