import {
  type AfterAttempt,
  type ClaimedDelivery,
  claimDueDeliveries,
  type Lane,
  releaseLeases,
  type Store,
} from '@insurance-verification/store';
import type { WebhookSender } from '@insurance-verification/webhook';
import { InFlight } from '../queue/in-flight.ts';
import { releaseOrLapse } from '../queue/release-or-lapse.ts';
import { startPolling } from '../queue/start-polling.ts';
import { createFailureLog } from '../telemetry/create-failure-log.ts';
import { createLanes, type HostAnswer } from './create-lanes.ts';
import { endUnsendable } from './end-unsendable.ts';
import { lineOf } from './line-of.ts';
import { type AttemptRecording, recordAttempt } from './record-attempt.ts';
import { sendClaimed, type SentAttempt } from './send-claimed.ts';
import { startHeartbeat } from './start-heartbeat.ts';

/** What the worker sends and writes with. */
export interface DeliveryTools extends AttemptRecording {
  readonly store: Store;
  readonly sender: WebhookSender;
}

/** The delivery role of one process. */
export interface DeliveryWorker {
  /** A row may be due: claim now rather than at the next poll. */
  readonly wake: () => void;
  /** Someone asks that a host be tried, whatever its breaker remembers. By `ClaimedDelivery.hostKey`. */
  readonly probe: (hostKey: string) => void;
  /** Claims no more, lets what is under way end, gives back what is not. Resolves when nothing is held. */
  readonly stop: (deadlineMs: number) => Promise<void>;
}

/** Attempts under way at once in one process, to the answer of the receiver. */
const IN_FLIGHT_MAX = 256;

/**
 * Leases held by one process: the attempts under way, and those that are answered and not yet written down. The
 * receiver's place is free by then; this bounds what waits when the database is slow, or away.
 */
const HELD_MAX = 512;

/** Rows leased by one claim. */
const CLAIM_COUNT_MAX = 128;

/** A retry due sooner than this is waited for to the millisecond; a later one may wait for the poll. */
const PUNCTUAL_SECONDS = 60;

export function startDeliveryWorker(tools: DeliveryTools): DeliveryWorker {
  const { store, sender, metrics, log } = tools;
  const lanes = createLanes();
  const held = new InFlight<ClaimedDelivery>();
  const heartbeat = startHeartbeat(tools, held);
  let stopped = false;
  let inFlightCount = 0;
  let heldCount = 0;
  let leaveCount = 0;

  const leaseRoom = () => Math.min(IN_FLIGHT_MAX - inFlightCount, HELD_MAX - heldCount);

  const wakeForRetry = (next: AfterAttempt | null) => {
    if (next?.kind === 'retry' && next.delaySeconds < PUNCTUAL_SECONDS)
      setTimeout(polling.wake, next.delaySeconds * 1000 + 5).unref();
  };

  /** One attempt, in a place of its lane that it gives back when the receiver has answered, before that is written. */
  const sendInLane = async (claimed: ClaimedDelivery, signal: AbortSignal): Promise<SentAttempt | null> => {
    let answer: HostAnswer = { verdict: 'neither', durationMs: 0 };
    try {
      if (claimed.claimsExhausted || !claimed.message) {
        await endUnsendable(store, log, claimed);
        return null;
      }
      const sent = await sendClaimed(sender, claimed, claimed.message, signal);
      answer = sent.answer;
      return sent;
    } finally {
      const wasFull = lanes.leave(claimed, answer) || leaseRoom() <= 0;
      leaveCount += 1;
      inFlightCount -= 1;
      metrics.deliveriesInFlight.set(inFlightCount);
      metrics.openBreakers.set(lanes.openBreakerCount());
      if (wasFull) polling.wake();
    }
  };

  const attempt = async (claimed: ClaimedDelivery, signal: AbortSignal) => {
    try {
      const sent = await sendInLane(claimed, signal);
      if (sent) wakeForRetry(await recordAttempt(tools, claimed, sent, signal));
    } catch (err) {
      // The lease lapses and the row is due again; the loop must outlive any one row.
      if (signal.aborted) log.warn(lineOf(claimed), 'attempt discarded: the lease was lost');
      else log.error({ ...lineOf(claimed), err }, 'delivery failed');
    } finally {
      heldCount -= 1;
      if (heldCount === HELD_MAX - 1) polling.wake();
    }
  };

  const begin = (claimed: ClaimedDelivery) => {
    inFlightCount += 1;
    heldCount += 1;
    metrics.deliveriesInFlight.set(inFlightCount);
    held.begin(claimed.deliveryId, claimed, ({ signal }) => attempt(claimed, signal));
  };

  /** One claim, of the lanes after one; true when it took all that it could, so that they may have more. */
  const claimPage = async (after: Lane | null): Promise<{ end: Lane | null; mayHaveMore: boolean }> => {
    const room = Math.min(leaseRoom(), CLAIM_COUNT_MAX);
    if (room <= 0) return { end: null, mayHaveMore: false }; // the next attempt that ends wakes
    const seenLeaveCount = leaveCount;
    const { claimed, end } = await claimDueDeliveries(store, {
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
    onFailure: createFailureLog(log, 'claim failed; the next poll tries again'),
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
      const unfinished = await held.drain(deadlineMs);
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
