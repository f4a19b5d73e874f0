import {
  type ClaimedDelivery,
  claimDueDeliveries,
  type Lane,
  releaseLeases,
} from '@insurance-verification/store';
import { InFlight } from '../queue/in-flight.ts';
import { releaseOrLapse } from '../queue/release-or-lapse.ts';
import { startPolling } from '../queue/start-polling.ts';
import { createFailureLog } from '../telemetry/create-failure-log.ts';
import { createLanes, type HostAnswer } from './create-lanes.ts';
import { type Delivered, deliverClaimed, type DeliveryTools, lineOf } from './deliver-claimed.ts';
import { startHeartbeat } from './start-heartbeat.ts';

/** The delivery role of one process. */
export interface DeliveryWorker {
  /** A row may be due: claim now rather than at the next poll. */
  readonly wake: () => void;
  /** Someone asks that a host be tried, whatever its breaker remembers. By `ClaimedDelivery.hostKey`. */
  readonly probe: (hostKey: string) => void;
  /** Claims no more, lets what is under way end, gives back what is not. Resolves when nothing is held. */
  readonly stop: (deadlineMs: number) => Promise<void>;
}

/** Attempts under way at once in one process. */
const IN_FLIGHT_MAX = 256;

/** Rows leased by one claim. */
const CLAIM_COUNT_MAX = 64;

/** A retry due sooner than this is waited for to the millisecond; a later one may wait for the poll. */
const PUNCTUAL_SECONDS = 60;

export function startDeliveryWorker(tools: DeliveryTools): DeliveryWorker {
  const lanes = createLanes();
  const inFlight = new InFlight<ClaimedDelivery>();
  const heartbeat = startHeartbeat(tools, inFlight);
  let stopped = false;
  let underWayCount = 0;
  let leaveCount = 0;

  const wakeForRetry = ({ next }: Delivered) => {
    if (next?.kind === 'retry' && next.delaySeconds < PUNCTUAL_SECONDS)
      setTimeout(polling.wake, next.delaySeconds * 1000 + 5).unref();
  };

  const attempt = async (claimed: ClaimedDelivery, signal: AbortSignal) => {
    let answer: HostAnswer = { verdict: 'neither', durationMs: 0 };
    try {
      const delivered = await deliverClaimed(tools, claimed, signal);
      answer = delivered.answer;
      wakeForRetry(delivered);
    } catch (err) {
      // The lease lapses and the row is due again; the loop must outlive any one row.
      if (signal.aborted) tools.log.warn(lineOf(claimed), 'attempt discarded: the lease was lost');
      else tools.log.error({ ...lineOf(claimed), err }, 'delivery failed');
    } finally {
      const wasFull = lanes.leave(claimed, answer) || underWayCount >= IN_FLIGHT_MAX;
      leaveCount += 1;
      underWayCount -= 1;
      tools.metrics.deliveriesInFlight.set(underWayCount);
      tools.metrics.openBreakers.set(lanes.openBreakerCount());
      if (wasFull) polling.wake();
    }
  };

  const begin = (claimed: ClaimedDelivery) => {
    underWayCount += 1;
    tools.metrics.deliveriesInFlight.set(underWayCount);
    inFlight.begin(claimed.deliveryId, claimed, ({ signal }) => attempt(claimed, signal));
  };

  /** One claim, of the lanes after one; true when it took all that it could, so that they may have more. */
  const claimPage = async (after: Lane | null): Promise<{ end: Lane | null; mayHaveMore: boolean }> => {
    const room = Math.min(IN_FLIGHT_MAX - underWayCount, CLAIM_COUNT_MAX);
    if (room === 0) return { end: null, mayHaveMore: false }; // the next attempt that ends wakes
    const seenLeaveCount = leaveCount;
    const { claimed, end } = await claimDueDeliveries(tools.store, {
      limit: room,
      rooms: lanes.rooms(),
      after,
    });
    if (stopped) {
      await release(tools, claimed);
      return { end: null, mayHaveMore: false };
    }
    // A host that is new, or just failed, takes fewer than were claimed for it: they go back unsent, and uncharged.
    const [entered, refused] = partition(claimed, lanes.enter);
    for (const row of entered) begin(row);
    await release(tools, refused);
    // Places that came free meanwhile were full when the claim was made, but not any more when they were left.
    const hasMoreRoom = claimed.length > 0 && leaveCount !== seenLeaveCount;
    return { end, mayHaveMore: claimed.length === room || hasMoreRoom };
  };

  /** Page by page through all lanes; there may be more when one of them took all that it could. */
  const claimRound = async () => {
    let mayHaveMore = false;
    let after: Lane | null = null;
    do {
      const page = await claimPage(after);
      mayHaveMore ||= page.mayHaveMore;
      after = page.end;
    } while (after && !stopped);
    return mayHaveMore;
  };

  const polling = startPolling({
    round: claimRound,
    onFailure: createFailureLog(tools.log, 'claim failed; the next poll tries again'),
  });

  return {
    wake: polling.wake,
    probe: (hostKey) => {
      lanes.probe(hostKey);
      polling.wake();
    },
    stop: async (deadlineMs) => {
      stopped = true;
      await polling.stop();
      const unfinished = await inFlight.drain(deadlineMs);
      heartbeat.stop();
      await release(tools, unfinished);
    },
  };
}

function release({ store, log }: DeliveryTools, claimed: readonly ClaimedDelivery[]): Promise<void> {
  return releaseOrLapse(log, () => releaseLeases(store, claimed));
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  const [first, second]: [T[], T[]] = [[], []];
  for (const item of items) (isFirst(item) ? first : second).push(item);
  return [first, second];
}
