/** When the worker claims again, once it was full. */
export interface ClaimPace {
  /** A place came free. `wasFull`: rows may have been waiting for it. */
  readonly left: (wasFull: boolean) => void;
  /** A round of claims begins, which fills the places that are free now. */
  readonly beginRound: () => void;
  /** It has ended. @param inFlightCount the attempts under way after it. */
  readonly endRound: (ended: { readonly claimedCount: number; readonly inFlightCount: number }) => void;
}

/** Of the places taken, the share that comes free before a claim is worth making. */
const ENOUGH_SHARE = 1 / 3;

/** Milliseconds after which fewer are enough: the rows of a slow receiver would wait for each other's answers. */
const PATIENCE_MS = 10;

/**
 * Claims some rows at a time: a statement for thirty costs the database little more than one for a single row. Claiming as
 * soon as a place was free, at 4,000 deliveries a second a claim leased a dozen rows.
 */
export function createClaimPace(claim: () => void): ClaimPace {
  let freeCount = 0;
  let enoughCount = 1;
  let mayWait = false;
  let isClaiming = false;
  let patience: NodeJS.Timeout | undefined;

  const consider = () => {
    if (isClaiming || !mayWait) return;
    if (freeCount >= enoughCount) claim();
    else patience ??= setTimeout(claim, PATIENCE_MS);
  };

  return {
    left: (wasFull) => {
      freeCount += 1;
      mayWait ||= wasFull;
      consider();
    },
    beginRound: () => {
      isClaiming = true;
      freeCount = 0;
      mayWait = false;
      clearTimeout(patience);
      patience = undefined;
    },
    endRound: ({ claimedCount, inFlightCount }) => {
      isClaiming = false;
      enoughCount = Math.max(Math.floor(inFlightCount * ENOUGH_SHARE), 1);
      // What came free during the round was full when it began: where it found rows, there may be more.
      mayWait ||= claimedCount > 0 && freeCount > 0;
      consider();
    },
  };
}
