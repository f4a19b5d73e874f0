import type { MachineShare } from '../../bench/machine.ts';

/** What others may take of the machine: a time that holds on a quiet one has this much room. */
const OTHERS_SHARE_MAX = 0.25;

/** Why the machine alone may have made a row's times too long; null when it did not, or cannot be asked. */
export function excuseOf(share: MachineShare | null): string | null {
  if (share === null || share.othersShare <= OTHERS_SHARE_MAX) return null;
  return `others took ${Math.round(100 * share.othersShare)} % of the machine`;
}
