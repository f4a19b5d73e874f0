import type { FaultRow } from '../fault-row.ts';
import type { Tally } from './tally.ts';

const head = ['row', 'fault', 'rounds', 'acknowledged', 'lost', 'duplicates', 'worst recovery', 'holds', ''];

/** One line of the table; a row that did not run has no figures. */
export function tableLine(
  { number, fault }: FaultRow,
  tally: Tally | null,
  rounds: number,
  note: string,
): string[] {
  if (tally === null) return [String(number), fault, '-', '-', '-', '-', '-', 'NOT RUN', note];
  const { acknowledgedCount, lostCount, duplicateCount, worstRecoveryMs } = tally;
  const counts = [rounds, acknowledgedCount, lostCount, duplicateCount].map(String);
  const recovery = worstRecoveryMs === null ? '-' : `${(worstRecoveryMs / 1000).toFixed(1)} s`;
  return [String(number), fault, ...counts, recovery, tally.verdict, note];
}

/** Columns as wide as their widest cell. */
export function tableOf(lines: readonly (readonly string[])[]): string {
  const all = [head, ...lines];
  const widths = head.map((_, column) => Math.max(...all.map((line) => (line[column] ?? '').length)));
  return all
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
