import type { FaultRow, Ground } from './fault-row.ts';
import { Tally } from './report/tally.ts';

/** Runs one row on a ground of its own and ends all that it started. An error of the row itself breaks it too. */
export async function runRow(
  row: FaultRow,
  { aDatabase, rounds }: Pick<Ground, 'aDatabase' | 'rounds'>,
  stack = new AsyncDisposableStack(),
): Promise<Tally> {
  const tally = new Tally();
  try {
    await row.run({ tally, rounds, stack, aDatabase });
  } catch (err) {
    tally.holds(false, err instanceof Error ? err.message : String(err));
  } finally {
    await stack.disposeAsync();
  }
  return tally;
}
