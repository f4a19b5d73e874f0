import type { FaultRow, Ground } from './fault-row.ts';
import { Tally } from './report/tally.ts';

/** Runs one row with fresh resources and stops everything it started. An error in the row itself also breaks it. */
export async function runRow(
  row: FaultRow,
  resources: Pick<Ground, 'aDatabase' | 'postmasterPid' | 'rounds'>,
  stack = new AsyncDisposableStack(),
): Promise<Tally> {
  const tally = new Tally();
  try {
    await row.run({ tally, stack, ...resources });
  } catch (err) {
    tally.holds(false, err instanceof Error ? err.message : String(err));
  } finally {
    await stack.disposeAsync();
  }
  return tally;
}
