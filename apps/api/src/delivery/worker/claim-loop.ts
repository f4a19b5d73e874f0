import type { Lane } from '@insurance-verification/store';
import { startPolling } from '../../queue/start-polling.ts';
import type { Slots } from './slots.ts';

/** Claims due deliveries, some at a time, from every lane in turn. */
export interface ClaimLoop {
  /** Signals possible work: claims now rather than at the next poll. */
  readonly wake: () => void;
  /** A slot came free. `wasFull`: rows may have been waiting for it. */
  readonly slotFreed: (wasFull: boolean) => void;
  /** Resolves when the cycle under way has ended. */
  readonly stop: () => Promise<void>;
}

export interface ClaimLoopOptions {
  readonly claimPage: ClaimPage;
  readonly slots: Pick<Slots, 'inFlightCount' | 'beginCycle' | 'endCycle'>;
  readonly onFailure: (err: unknown) => void;
}

/** Makes one claim, of the lanes beyond `after`. */
export type ClaimPage = (after: Lane | null) => Promise<ClaimedPage>;

/** What one claim took. */
export interface ClaimedPage {
  /** The last of its lanes; null when no lane follows, or no claim was made. */
  readonly end: Lane | null;
  readonly claimedCount: number;
  /** It took all it could. */
  readonly isFull: boolean;
}

/** Of the slots taken, the share that comes free before a claim is worth making. */
const ENOUGH_SHARE = 1 / 3;

/** Milliseconds after which fewer are enough: the rows of a slow receiver would wait for each other's answers. */
const PATIENCE_MS = 10;

/**
 * Claims in cycles that visit every lane, as soon as a third of the slots is free again: a statement for thirty rows
 * costs the database little more than one for a single row. Claiming as soon as a slot was free, at 4,000 deliveries a
 * second a claim leased a dozen rows.
 */
export function startClaimLoop({ claimPage, slots, onFailure }: ClaimLoopOptions): ClaimLoop {
  let servedTo: Lane | null = null;
  let freeCount = 0;
  let enoughCount = 1;
  let mayWait = false;
  let isClaiming = false;
  let patience: NodeJS.Timeout | undefined;

  const considerClaim = () => {
    if (isClaiming || !mayWait) return;
    if (freeCount >= enoughCount) polling.wake();
    else patience ??= setTimeout(polling.wake, PATIENCE_MS);
  };

  const runCycle = async () => {
    isClaiming = true;
    freeCount = 0;
    mayWait = false;
    clearTimeout(patience);
    patience = undefined;
    slots.beginCycle();
    let claimedCount = 0;
    try {
      const cycle = await claimEveryLane(claimPage, servedTo);
      ({ servedTo, claimedCount } = cycle);
      slots.endCycle();
      return cycle.mayHaveMore;
    } finally {
      isClaiming = false;
      enoughCount = Math.max(Math.floor(slots.inFlightCount() * ENOUGH_SHARE), 1);
      // What came free during the cycle was full when it began: where it found rows, there may be more.
      mayWait ||= claimedCount > 0 && freeCount > 0;
      considerClaim();
    }
  };

  const polling = startPolling({ cycle: runCycle, onFailure });
  return {
    wake: polling.wake,
    slotFreed: (wasFull) => {
      freeCount += 1;
      mayWait ||= wasFull;
      considerClaim();
    },
    stop: polling.stop,
  };
}

/** What one cycle claimed, and the lane that it served last. */
export interface ClaimedCycle {
  readonly servedTo: Lane | null;
  readonly claimedCount: number;
  /** One page took all it could. */
  readonly mayHaveMore: boolean;
}

/**
 * Claims page after page, until every lane has had its turn. A cycle begins after the lane that was served last, and
 * goes around: otherwise the slots that come free would always go to the first lanes, for as long as these have rows.
 */
export async function claimEveryLane(claimPage: ClaimPage, start: Lane | null): Promise<ClaimedCycle> {
  const cycle = { servedTo: start, claimedCount: 0, mayHaveMore: false };
  const claimUntil = async (from: Lane | null, isOver: (end: Lane) => boolean) => {
    let after = from;
    do {
      const page = await claimPage(after);
      if (page.claimedCount > 0) cycle.servedTo = page.end;
      cycle.claimedCount += page.claimedCount;
      cycle.mayHaveMore ||= page.isFull;
      after = page.end;
    } while (after && !isOver(after));
  };
  await claimUntil(start, () => false);
  if (start) await claimUntil(null, (end) => !isBefore(end, start));
  return cycle;
}

/** In the order of the queue: by the bytes of the host, then by lane. */
function isBefore(one: Lane, other: Lane): boolean {
  const byHost = Buffer.compare(Buffer.from(one.hostKey, 'base64'), Buffer.from(other.hostKey, 'base64'));
  return byHost < 0 || (byHost === 0 && one.lane < other.lane);
}
