import type { MachineShare } from './watch-machine.ts';

/** Above this share, what others did to a run is no smaller than what most changes of the code do. */
const OTHERS_SHARE_MAX = 0.05;

export interface Verdict {
  readonly isClean: boolean;
  readonly sentence: string;
}

/** Whether a part ran on a machine that was its own; null: nobody could see. */
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
