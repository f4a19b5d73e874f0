import { expect, inject, test } from 'vitest';
import { everyRow } from '../../faults/every-row.ts';
import { createDatabase } from '../../faults/ground/postgres/create-database.ts';
import { runRow } from '../../faults/run-row.ts';

/**
 * Tests rows of the fault matrix that need no minutes, with so many rounds of each where the whole suite makes many. In
 * two files, which take a minute each side by side. Left out: 2, 4, 5, 6, 7, 10, 14, 15, 16 and 19, which wait for real
 * leases, restarts, locks and deadlines, and 21, which needs PgBouncer.
 */
export function testShortForm(rounds: Readonly<Record<number, number>>): void {
  const rows = everyRow.filter(({ number }) => rounds[number] !== undefined);

  // Production survives each of them; the row's own sentences say what did not hold.
  test.each(rows)('fault $number: $fault', { timeout: 120_000 }, async (row) => {
    const { adminConnectionString } = inject('testServer');
    const tally = await runRow(row, {
      aDatabase: () => createDatabase(adminConnectionString),
      postmasterPid: null,
      rounds: rounds[row.number] ?? 1,
    });
    // Times are judged where the machine has time: other test files run here as well.
    expect(tally.broken).toEqual([]);
    expect(tally.lostCount).toBe(0);
  });
}
