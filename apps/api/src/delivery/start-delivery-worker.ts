import {
  type ClaimedDelivery,
  claimDueDeliveries,
  type Lane,
  releaseLeases,
} from '@insurance-verification/store';
import { drain } from '../queue/drain.ts';
import { startPolling } from '../queue/start-polling.ts';
import { createFailureLog } from '../telemetry/create-failure-log.ts';
import { createLanes, type HostAnswer } from './create-lanes.ts';
import { type Delivered, deliverClaimed, type DeliveryTools } from './deliver-claimed.ts';
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
  const inFlight = new Map<
    string,
    { claimed: ClaimedDelivery; abort: AbortController; done: Promise<unknown> }
  >();
  const heartbeat = startHeartbeat(tools, inFlight);
  let stopped = false;
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
      if (!signal.aborted) tools.log.error({ delivery_id: claimed.deliveryId, err }, 'delivery failed');
    } finally {
      const wasFull = lanes.leave(claimed, answer) || inFlight.size >= IN_FLIGHT_MAX;
      leaveCount += 1;
      inFlight.delete(claimed.deliveryId);
      tools.metrics.deliveriesInFlight.set(inFlight.size);
      tools.metrics.openBreakers.set(lanes.openBreakerCount());
      if (wasFull) polling.wake();
    }
  };

  const begin = (claimed: ClaimedDelivery) => {
    const abort = new AbortController();
    inFlight.set(claimed.deliveryId, { claimed, abort, done: attempt(claimed, abort.signal) });
    tools.metrics.deliveriesInFlight.set(inFlight.size);
  };

  /** One claim, of the lanes after one; true when it took all that it could, so that they may have more. */
  const claimPage = async (after: Lane | null): Promise<{ end: Lane | null; mayHaveMore: boolean }> => {
    const room = Math.min(IN_FLIGHT_MAX - inFlight.size, CLAIM_COUNT_MAX);
    if (room === 0) return { end: null, mayHaveMore: false }; // the next attempt that ends wakes
    const seenLeaveCount = leaveCount;
    const { claimed, end } = await claimDueDeliveries(tools.store, {
      limit: room,
      rooms: lanes.rooms(),
      after,
    });
    if (stopped) {
      await releaseOrLapse(tools, claimed);
      return { end: null, mayHaveMore: false };
    }
    // A host that is new, or just failed, takes fewer than were claimed for it: they go back unsent, and uncharged.
    const [entered, refused] = partition(claimed, lanes.enter);
    for (const row of entered) begin(row);
    await releaseOrLapse(tools, refused);
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
      const unfinished = await drain(inFlight, deadlineMs);
      heartbeat.stop();
      await releaseOrLapse(
        tools,
        unfinished.map(({ claimed }) => claimed),
      );
    },
  };
}

/** A stop must not fail because the database is away: what is not given back falls due when its lease ends. */
async function releaseOrLapse(
  { store, log }: DeliveryTools,
  claimed: readonly ClaimedDelivery[],
): Promise<void> {
  try {
    await releaseLeases(store, claimed);
  } catch (err) {
    log.warn({ err }, 'release failed; the leases lapse');
  }
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  const [first, second]: [T[], T[]] = [[], []];
  for (const item of items) (isFirst(item) ? first : second).push(item);
  return [first, second];
}
