import { readFileSync, writeFileSync } from 'node:fs';
import { readTable, writeTable } from '../../bench/report/markdown-table.ts';
import type { Tally } from './tally.ts';

const PAGE = new URL('../README.md', import.meta.url);
export const MEASURED_REGION = 'faults, measured by the suite';

/** A row's result in all its rounds for README: the counts, the facts, and what broke. */
export function measuredCell(tally: Tally): string {
  const { acknowledgedCount, lostCount, duplicateCount, worstRecoveryMs, facts, broken } = tally;
  const count = (value: number) => value.toLocaleString('en');
  return [
    broken.length === 0 ? 'holds' : 'DOES NOT HOLD',
    ...(acknowledgedCount === 0
      ? []
      : [
          `${count(acknowledgedCount)} acknowledged, ${count(lostCount)} lost, ${count(duplicateCount)} repeated`,
        ]),
    ...(worstRecoveryMs === null ? [] : [`worst recovery ${(worstRecoveryMs / 1000).toFixed(1)} s`]),
    ...facts,
    ...broken.map((sentence) => `broken: ${sentence}`),
  ]
    .join('; ')
    .replaceAll('\n', ' ');
}

/** The page with these rows' last cells rewritten, by row number, and the others unchanged. */
export function writeMeasured(page: string, cells: ReadonlyMap<number, string>): string {
  const table = readTable(page, MEASURED_REGION).map((row) => {
    const cell = cells.get(Number(row[0]));
    return cell === undefined ? row : [...row.slice(0, -1), cell];
  });
  return writeTable(page, MEASURED_REGION, table);
}

/** Writes the results of rows that ran all their rounds into README. */
export function recordMeasured(cells: ReadonlyMap<number, string>): void {
  if (cells.size > 0) writeFileSync(PAGE, writeMeasured(readFileSync(PAGE, 'utf8'), cells));
}
