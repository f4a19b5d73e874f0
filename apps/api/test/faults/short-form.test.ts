import { expect, inject, test } from 'vitest';
import { everyRow } from '../../faults/every-row.ts';
import { createDatabase } from '../../faults/ground/postgres/create-database.ts';
import { runRow } from '../../faults/run-row.ts';

/**
 * The rows of the fault matrix that need no minutes, with one round where the whole suite makes many. Left out: 2, 4,
 * 5, 6, 7, 10, 14, 15, 16 and 19, which wait for real leases, restarts, locks and deadlines, and 21, which needs
 * PgBouncer.
 */
const rounds: Readonly<Record<number, number>> = {
  1: 1,
  3: 1,
  8: 1,
  9: 2,
  11: 1,
  12: 1,
  13: 1,
  17: 1,
  18: 1,
  20: 2,
  22: 1,
};

const rows = everyRow.filter(({ number }) => rounds[number] !== undefined);

// Production survives each of them; the row's own sentences say what did not hold.
test.each(rows)('fault $number: $fault', { timeout: 120_000 }, async (row) => {
  const { adminConnectionString } = inject('testServer');
  const tally = await runRow(row, {
    aDatabase: () => createDatabase(adminConnectionString),
    postmasterPid: null,
    rounds: rounds[row.number] ?? 1,
  });
  expect([tally.broken, tally.unjudged]).toEqual([[], []]);
  expect(tally.lostCount).toBe(0);
});
