import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { connectionCountOf } from '../../src/process/database/open-database.ts';

const guide = readFileSync(new URL('../../../../apps/docs/deploying.md', import.meta.url), 'utf8');

// Breaks if an operator sizes `max_connections` by a table that the processes do not keep to.
test('the table of sizes gives the connections that the processes may hold', () => {
  // Cores, processes, DATABASE_POOL_MAX, and of max_connections the processes' and the rest.
  const lines = [...guide.matchAll(/^\| [^|]+ \| (\d+) +\| (\d+) +\| (\d+): (\d+) and (\d+) /gm)];
  const sizes = lines.map((line) => line.slice(1).map(Number));
  expect(sizes.length).toBeGreaterThanOrEqual(3);
  for (const [processes = 0, databasePoolMax = 0, max = 0, taken = 0, rest = 0] of sizes) {
    expect(taken).toBe(processes * connectionCountOf({ databasePoolMax }));
    expect(max).toBeGreaterThanOrEqual(taken + rest);
  }
});
