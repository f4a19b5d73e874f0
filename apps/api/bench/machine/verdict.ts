import type { MachineShare } from './watch-machine.ts';

/** Above this share, the noise of other processes is as large as the effect of most code changes. */
const OTHERS_SHARE_MAX = 0.05;

export interface Verdict {
  readonly isClean: boolean;
  readonly sentence: string;
}

/** Whether a part had the machine to itself; null when that is unknown. */
export function verdictOf(name: string, share: MachineShare | null): Verdict {
  if (share === null) {
    const sentence = `${name}: not called clean: this machine has no /proc, so CPU and what others took are not told.`;
    return { isClean: false, sentence };
  }
  const others = `${(100 * share.othersShare).toFixed(1)} %`;
  const isClean = share.othersShare <= OTHERS_SHARE_MAX;
  return {
    isClean,
    sentence: isClean
      ? `${name}: clean: others took ${others} of the machine.`
      : `${name}: NOT CLEAN: others took ${others} of the machine, more than ${100 * OTHERS_SHARE_MAX} %.`,
  };
}
