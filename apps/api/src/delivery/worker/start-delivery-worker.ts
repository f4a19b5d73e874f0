import {
  type AfterAttempt,
  type ClaimedDelivery,
  type Courier,
  claimDueDeliveries,
  type Lane,
  releaseLeases,
  type Reservation,
  type Rooms,
  type Store,
} from '@insurance-verification/store';
import type { WebhookSender } from '@insurance-verification/webhook';
import { InFlight } from '../../queue/in-flight.ts';
import { releaseOrLapse } from '../../queue/release-or-lapse.ts';
import { startPolling } from '../../queue/start-polling.ts';
import { createFailureLog } from '../../telemetry/create-failure-log.ts';
import { createCrowd } from '../lanes/create-crowd.ts';
import { createLanes, type HostAnswer } from '../lanes/create-lanes.ts';
import { createShards, type Shards } from '../lanes/create-shards.ts';
import { createClaimPace } from './create-claim-pace.ts';
import { type ClaimedPage, createLaneRound } from './create-lane-round.ts';
import { createPlaces } from './create-places.ts';
import { createReservations } from './create-reservations.ts';
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
export interface DeliveryWorker extends Courier {
  /** Asks that a host be tried, whatever its breaker remembers. By `ClaimedDelivery.hostKey`. */
  readonly probe: (hostKey: string) => void;
  /** Another process that delivers came, went, or gave hosts back. */
  readonly regroup: () => void;
  /** Stops claiming, lets attempts under way end, and releases the rest. Resolves when no lease is held. */
  readonly stop: (deadlineMs: number) => Promise<void>;
}

/** For an attempt that was not made, or not completed. */
const NO_ANSWER: HostAnswer = { verdict: 'neither', durationMs: 0 };

/** Rows leased by one claim. */
const DELIVERIES_PER_CLAIM_MAX = 128;

/** A retry due sooner than this is timed to the millisecond; a later one may wait for the poll. */
const PUNCTUAL_SECONDS = 60;

const NOTHING: ClaimedPage = { end: null, claimedCount: 0, isFull: false };

export function startDeliveryWorker(tools: DeliveryTools): DeliveryWorker {
  const { store, sender, metrics, log } = tools;
  const lanes = createLanes(undefined, () => shards.accountRoom());
  const crowd = createCrowd();
  const held = new InFlight<ClaimedDelivery>();
  const shards: Shards = createShards({
    store,
    busiestAccount: lanes.busiestAccount,
    onMore: () => {
      crowd.addAll(); // others may have left rows waiting
      polling.wake();
    },
    onLost: () => abortElsewhere(),
    log,
  });
  const heartbeat = startHeartbeat(tools, held);
  const pace = createClaimPace(() => polling.wake());
  const places = createPlaces({
    lanes,
    shards,
    metrics,
    onLeave: pace.left,
    onLeaseRoom: () => polling.wake(),
  });
  let stopped = false;

  const wakeForRetry = (next: AfterAttempt | null) => {
    if (next?.kind === 'retry' && next.delaySeconds < PUNCTUAL_SECONDS)
      setTimeout(polling.wake, next.delaySeconds * 1000 + 5).unref();
  };

  /**
   * One attempt in a place of its lane. Gives the place back at the receiver's answer, before the outcome is written.
   */
  const sendInLane = async (claimed: ClaimedDelivery, signal: AbortSignal): Promise<SentAttempt | null> => {
    let answer = NO_ANSWER;
    try {
      if (claimed.claimsExhausted || !claimed.message) {
        await endUnsendable(store, log, claimed);
        return null;
      }
      const sent = await sendClaimed(sender, claimed, claimed.message, signal);
      answer = sent.answer;
      return sent;
    } finally {
      places.leave(claimed, answer);
    }
  };

  const attempt = async (claimed: ClaimedDelivery, signal: AbortSignal) => {
    try {
      const sent = await sendInLane(claimed, signal);
      if (sent) wakeForRetry(await recordAttempt(tools, claimed, sent, signal));
    } catch (err) {
      // The lease lapses and the row is due again; the loop must survive any one row.
      if (signal.aborted) log.warn(lineOf(claimed), 'attempt discarded: the lease was lost');
      else log.error({ ...lineOf(claimed), err }, 'delivery failed');
    } finally {
      places.endLease();
    }
  };

  /** Ends attempts to hosts that another process may be calling by now. */
  const abortElsewhere = () => {
    for (const { deliveryId, hostKey } of held.items())
      if (!shards.holds(hostKey)) held.get(deliveryId)?.abort.abort(new Error('The shard was lost.'));
  };

  const begin = (claimed: ClaimedDelivery) =>
    held.begin(claimed.deliveryId, claimed, ({ signal }) => attempt(claimed, signal));

  const reservations = createReservations({
    begin,
    free: (lane) => {
      places.leave(lane, NO_ANSWER);
      places.endLease();
    },
  });

  /** Takes a place for a delivery about to be written, so that it need not be claimed. */
  const reserve = (lane: Lane): Reservation | null => {
    if (stopped || places.leaseRoom() <= 0 || !shards.mayBegin(lane.hostKey)) return null;
    if (crowd.waitsAt(lane.hostKey, lane.accountId)) return null;
    if (!places.take(lane)) {
      crowd.add(lane.hostKey);
      return null;
    }
    return reservations.make(lane);
  };

  /** One claim, of the lanes beyond `after`. `isFull` when it took all it could. */
  const claimPage = async (after: Lane | null): Promise<ClaimedPage> => {
    if (stopped) return NOTHING;
    const room = Math.min(places.leaseRoom(), DELIVERIES_PER_CLAIM_MAX);
    if (room <= 0) {
      crowd.addAll();
      return NOTHING; // the next attempt to end wakes the loop
    }
    const bits = shards.bits();
    if (!bits) return NOTHING; // shards wake the loop when they come
    const rooms = lanes.rooms();
    addFull(rooms);
    const { claimed, end } = await claimDueDeliveries(store, {
      limit: room,
      rooms,
      after,
      shards: bits,
    });
    if (stopped) {
      await release(tools, claimed);
      return NOTHING;
    }
    // A host that is new or has just failed takes fewer than were claimed for it: the rest go back unsent and
    // uncharged.
    const refused = claimed.filter((row) => {
      const isEntered = places.take(row);
      if (isEntered) begin(row);
      else crowd.add(row.hostKey);
      return !isEntered;
    });
    addFull(lanes.rooms());
    if (claimed.length === room) crowd.addAll();
    await release(tools, refused);
    return { end, claimedCount: claimed.length, isFull: claimed.length === room };
  };

  /** Rows waiting at a full host or account are not claimed, so nothing shows them: assume that there are some. */
  const addFull = ({ hosts, accounts }: Rooms) => {
    for (const [key, room] of [...hosts, ...accounts]) if (room <= 0) crowd.add(key);
  };

  const claimLanes = createLaneRound(claimPage);

  const claimRound = async () => {
    let claimedCount = 0;
    crowd.beginRound();
    pace.beginRound();
    try {
      const round = await claimLanes();
      claimedCount = round.claimedCount;
      crowd.endRound();
      return round.mayHaveMore;
    } finally {
      pace.endRound({ claimedCount, inFlightCount: places.inFlightCount() });
    }
  };

  const polling = startPolling({
    round: claimRound,
    onFailure: createFailureLog(log, 'claim failed; the next poll tries again'),
  });

  return {
    wake: polling.wake,
    reserve,
    regroup: shards.regroup,
    probe: (hostKey) => {
      lanes.probe(hostKey);
      polling.wake();
    },
    stop: async (deadlineMs) => {
      stopped = true;
      shards.retire();
      await polling.stop();
      await reservations.settled();
      const unfinished = await held.drain(deadlineMs);
      await heartbeat.stop();
      await Promise.all([release(tools, unfinished), shards.stop()]);
    },
  };
}

function release({ store, log }: DeliveryTools, claimed: readonly ClaimedDelivery[]): Promise<void> {
  return releaseOrLapse(log, () => releaseLeases(store, claimed));
}
