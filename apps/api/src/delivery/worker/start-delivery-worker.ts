import {
  type AfterAttempt,
  claimDueDeliveries,
  type ClaimedDelivery,
  giveUpDelivery,
  type Lane,
  type LocalWorker,
  releaseLeases,
  setAside,
  type Store,
} from '@insurance-verification/store';
import type { WebhookSender } from '@insurance-verification/webhook';
import { InFlight, releaseOrLapse } from '../../queue/in-flight.ts';
import { createFailureLog, type Log } from '../../telemetry/log.ts';
import type { Shortage } from '../../telemetry/shortage.ts';
import { createLanes } from '../lanes/create-lanes.ts';
import { createShards, type Shards } from '../lanes/create-shards.ts';
import { type ClaimedPage, startClaimLoop } from './claim-loop.ts';
import { lineOf, type AttemptRecording, recordAttempt } from './record-attempt.ts';
import { createBreakerNotes, sendClaimed, type SentAttempt } from './send-claimed.ts';
import { createSlots, NO_ANSWER } from './slots.ts';
import { startHeartbeat } from './start-heartbeat.ts';

/** What the worker sends and writes with. */
export interface DeliveryTools extends AttemptRecording {
  readonly store: Store;
  readonly sender: WebhookSender;
  readonly shortage: Shortage;
}

/** The delivery role of one process. */
export interface DeliveryWorker extends LocalWorker {
  /** Asks that a host be tried, whatever its breaker remembers. By `ClaimedDelivery.hostKey`. */
  readonly probe: (hostKey: string) => void;
  /** Another process that delivers came, went, or gave hosts back. */
  readonly regroup: () => void;
  /** Stops claiming, lets attempts under way end, and releases the rest. Resolves when no lease is held. */
  readonly stop: (deadlineMs: number) => Promise<void>;
}

/** Rows leased by one claim. */
const DELIVERIES_PER_CLAIM_MAX = 128;

/** A retry due sooner than this is timed to the millisecond; a later one may wait for the poll. */
const PUNCTUAL_SECONDS = 60;

const NOTHING: ClaimedPage = { end: null, claimedCount: 0, isFull: false };

export function startDeliveryWorker(tools: DeliveryTools): DeliveryWorker {
  const { store, sender, shortage, metrics, log } = tools;
  const lanes = createLanes(undefined, () => shards.accountSlots(), createBreakerNotes(store, log));
  const held = new InFlight<ClaimedDelivery>();
  const shards: Shards = createShards({
    store,
    busiestAccount: lanes.busiestAccount,
    onMore: () => {
      slots.markAll(); // others may have left rows waiting
      loop.wake();
    },
    onLost: () => abortElsewhere(),
    log,
  });
  const heartbeat = startHeartbeat(tools, held);
  const slots = createSlots({
    lanes,
    shards,
    metrics,
    onFree: (wasFull) => loop.slotFreed(wasFull),
    onLeaseFree: () => loop.wake(),
  });
  let stopped = false;

  const wakeForRetry = (next: AfterAttempt | null) => {
    if (next?.kind === 'retry' && next.delaySeconds < PUNCTUAL_SECONDS)
      setTimeout(loop.wake, next.delaySeconds * 1000 + 5).unref();
  };

  /**
   * One attempt in a slot of its lane. Gives the slot back at the receiver's answer, before the outcome is written.
   */
  const sendInLane = async (claimed: ClaimedDelivery, signal: AbortSignal): Promise<SentAttempt | null> => {
    let answer = NO_ANSWER;
    try {
      if (claimed.isEndpointOff || claimed.claimsExhausted || !claimed.message) {
        await endUnsendable(store, log, claimed);
        return null;
      }
      const sent = await sendClaimed(sender, claimed, claimed.message, signal);
      answer = sent.answer;
      return sent;
    } finally {
      slots.leave(claimed, answer);
    }
  };

  const attempt = async (claimed: ClaimedDelivery, signal: AbortSignal) => {
    try {
      const sent = await sendInLane(claimed, signal);
      if (sent) wakeForRetry(await recordAttempt(tools, claimed, sent, signal));
    } catch (err) {
      // The lease lapses and the row is due again; the loop must survive any one row.
      if (signal.aborted) log.warn(lineOf(claimed), 'attempt discarded: the lease was lost');
      else if (shortage.note(err)) await release(tools, [claimed]);
      else log.error({ ...lineOf(claimed), err }, 'delivery failed');
    } finally {
      slots.endLease();
    }
  };

  /** Ends attempts to hosts that another process may be calling by now. */
  const abortElsewhere = () => {
    for (const { deliveryId, hostKey } of held.items())
      if (!shards.holds(hostKey)) held.get(deliveryId)?.abort.abort(new Error('The shard was lost.'));
  };

  const begin = (claimed: ClaimedDelivery) =>
    held.begin(claimed.deliveryId, claimed, ({ signal }) => attempt(claimed, signal));

  const claimPage = async (after: Lane | null): Promise<ClaimedPage> => {
    if (stopped) return NOTHING;
    if (shortage.lasts()) {
      slots.markAll();
      return NOTHING; // the next poll looks again
    }
    const limit = Math.min(slots.freeLeases(), DELIVERIES_PER_CLAIM_MAX);
    if (limit <= 0) {
      slots.markAll();
      return NOTHING; // the next attempt to end wakes the loop
    }
    const bits = shards.bits();
    if (!bits) return NOTHING; // shards wake the loop when they come
    const freeSlots = lanes.freeSlots();
    slots.markFull(freeSlots);
    const { claimed, end } = await claimDueDeliveries(store, { limit, freeSlots, after, shards: bits });
    if (stopped) {
      await release(tools, claimed);
      return NOTHING;
    }
    // A host that is new or has just failed takes fewer than were claimed for it: the rest go back unsent and
    // uncharged.
    const refused = claimed.filter((row) => {
      const isTaken = slots.take(row);
      if (isTaken) begin(row);
      return !isTaken;
    });
    slots.markFull(lanes.freeSlots());
    if (claimed.length === limit) slots.markAll();
    await release(tools, refused);
    return { end, claimedCount: claimed.length, isFull: claimed.length === limit };
  };

  const loop = startClaimLoop({
    claimPage,
    slots,
    onFailure: createFailureLog(log, 'claim failed; the next poll tries again'),
  });

  return {
    wake: loop.wake,
    reserve: (lane) => (stopped || shortage.lasts() ? null : slots.reserve(lane, begin)),
    regroup: shards.regroup,
    probe: (hostKey) => {
      lanes.probe(hostKey);
      loop.wake();
    },
    stop: async (deadlineMs) => {
      stopped = true;
      shards.retire();
      await loop.stop();
      await slots.reservationsSettled();
      const unfinished = await held.drain(deadlineMs);
      await heartbeat.stop();
      await Promise.all([release(tools, unfinished), shards.stop()]);
    },
  };
}

function release({ store, log }: DeliveryTools, claimed: readonly ClaimedDelivery[]): Promise<void> {
  return releaseOrLapse(log, () => releaseLeases(store, claimed));
}

/**
 * Ends the claim of a row that cannot be sent: for good after too many claims, where its endpoint is off and where its
 * event was altered, else until another worker may open it.
 */
async function endUnsendable(store: Store, log: Log, claimed: ClaimedDelivery): Promise<void> {
  if (claimed.isEndpointOff) {
    await giveUpDelivery(store, { ...claimed, reason: 'endpoint_off' });
    log.info(lineOf(claimed), 'delivery given up: its endpoint ended or is disabled');
  } else if (claimed.isEventAltered) {
    await giveUpDelivery(store, claimed);
    log.error(lineOf(claimed), 'delivery given up: its event was not written by this service');
  } else if (claimed.claimsExhausted) {
    await giveUpDelivery(store, claimed);
    log.error(lineOf(claimed), 'delivery given up: claimed too often without a finished attempt');
  } else {
    await setAside(store, claimed);
    log.error(lineOf(claimed), 'delivery unreadable: its encrypted values cannot be decrypted');
  }
}
