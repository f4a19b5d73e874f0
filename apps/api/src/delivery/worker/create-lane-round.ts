import type { Lane } from '@insurance-verification/store';

/** What one claim took. */
export interface ClaimedPage {
  /** The last of its lanes; null when no lane follows, or no claim was made. */
  readonly end: Lane | null;
  readonly claimedCount: number;
  readonly isFull: boolean;
}

export interface ClaimedRound {
  readonly claimedCount: number;
  /** One page took all it could. */
  readonly mayHaveMore: boolean;
}

/**
 * Claims page after page, until every lane has had its turn. Each round begins behind the lane that was served last, and
 * goes around: otherwise the room that comes free would always go to the first lanes, for as long as these have rows.
 */
export function createLaneRound(
  claimPage: (after: Lane | null) => Promise<ClaimedPage>,
): () => Promise<ClaimedRound> {
  let servedTo: Lane | null = null;

  return async () => {
    const start = servedTo;
    const round = { claimedCount: 0, mayHaveMore: false };
    const claimUntil = async (from: Lane | null, isOver: (end: Lane) => boolean) => {
      let after = from;
      do {
        const page = await claimPage(after);
        if (page.claimedCount > 0) servedTo = page.end;
        round.claimedCount += page.claimedCount;
        round.mayHaveMore ||= page.isFull;
        after = page.end;
      } while (after && !isOver(after));
    };
    await claimUntil(start, () => false);
    if (start) await claimUntil(null, (end) => !isBefore(end, start));
    return round;
  };
}

/** In the order of the queue: by the bytes of the host, then by account. */
function isBefore(one: Lane, other: Lane): boolean {
  const byHost = Buffer.compare(Buffer.from(one.hostKey, 'base64'), Buffer.from(other.hostKey, 'base64'));
  return byHost < 0 || (byHost === 0 && one.accountId < other.accountId);
}
