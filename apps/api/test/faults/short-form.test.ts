import { expect, inject, test } from 'vitest';
import { everyRow } from '../../faults/every-row.ts';
import { createDatabase } from '../../faults/ground/postgres/create-database.ts';
import { runRow } from '../../faults/run-row.ts';

/**
 * Rows of the fault matrix that need no minutes and whose rule no other test has, with so many rounds of each. Others are
 * tested where the part is: 1 by 3 and 17, 9 in the store's listen and open-store tests, 11 and 12 in webhook, 18 in delivery, 22 in
 * database/hanging-commits.
 */
const ROUNDS: Readonly<Record<number, number>> = { 3: 1, 8: 1, 13: 1, 17: 1, 20: 2 };

const rows = everyRow.filter(({ number }) => ROUNDS[number] !== undefined);

// Production survives each of them; the row's own sentences say what did not hold.
test.each(rows)('fault $number: $fault', { timeout: 120_000 }, async (row) => {
  const { adminConnectionString } = inject('testServer');
  const tally = await runRow(row, {
    aDatabase: () => createDatabase(adminConnectionString),
    postmasterPid: null,
    rounds: ROUNDS[row.number] ?? 1,
  });
  // Times are judged where the machine has time: other test files run here as well.
  expect(tally.broken).toEqual([]);
  expect(tally.lostCount).toBe(0);
});
