import type { Tally } from './tally.ts';

/** A row's result in all its rounds, for the last column of README: the counts, the facts, and what broke. */
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
