import type { ClaimedDelivery, Lane, Reservation, FreeSlots } from '@insurance-verification/store';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { HostAnswer, Lanes } from '../lanes/create-lanes.ts';
import type { Shards } from '../lanes/create-shards.ts';

/**
 * What one process has under way, has reserved, and what waits for it. A delivery takes a slot, in its lane too, and a
 * lease. The slot is free again at the receiver's answer, the lease when that is written.
 */
export interface Slots {
  readonly inFlightCount: () => number;
  /** How many more deliveries may be leased. */
  readonly freeLeases: () => number;
  /** False when the lane has no slot, so that its host's rows wait, or when the host is another process's. */
  readonly take: (lane: Lane) => boolean;
  readonly leave: (lane: Lane, answer: HostAnswer) => void;
  readonly endLease: () => void;
  /**
   * Takes a slot for a delivery about to be written, so that it need not be claimed. Null without a free slot, or where
   * rows may be waiting in the queue: the new delivery would overtake them.
   */
  readonly reserve: (lane: Lane, begin: (claimed: ClaimedDelivery) => void) => Reservation | null;
  /** Resolves when no reservation is open; each settles within the time-out of its statement. */
  readonly reservationsSettled: () => Promise<void>;
  /** Rows of a full host or account are never claimed; assume that some exist. */
  readonly markFull: (freeSlots: Pick<FreeSlots, 'hosts' | 'lanes'>) => void;
  /** Part of the queue was not looked at: assumes that rows wait at every host. */
  readonly markAll: () => void;
  /** Begins a cycle of claims: what is not marked again by its end no longer waits. */
  readonly beginCycle: () => void;
  readonly endCycle: () => void;
}

export interface SlotsOptions {
  readonly lanes: Pick<Lanes, 'enter' | 'leave' | 'openBreakerCount'>;
  readonly shards: Pick<Shards, 'mayBegin' | 'enter' | 'leave'>;
  readonly metrics: Pick<Metrics, 'deliveriesInFlight' | 'openBreakers'>;
  /** A slot came free. `wasFull`: rows may have been waiting for it. */
  readonly onFree: (wasFull: boolean) => void;
  /** Leases were used up, and one is free again. */
  readonly onLeaseFree: () => void;
}

/** For an attempt that was not made, or not completed. */
export const NO_ANSWER: HostAnswer = { verdict: 'neither', durationMs: 0 };

/** Concurrent attempts in one process, until the receiver's answer. */
const IN_FLIGHT_MAX = 256;

/**
 * Leases held by one process: attempts under way, and answered ones not yet recorded. This bounds the backlog while the
 * database is slow or away.
 */
const HELD_MAX = 512;

/** Until the first cycle has ended, rows may wait at every host. */
export function createSlots({ lanes, shards, metrics, onFree, onLeaseFree }: SlotsOptions): Slots {
  let inFlightCount = 0;
  let heldCount = 0;
  let reservedCount = 0;
  let onSettled: (() => void) | undefined;
  /** Host keys and lanes. */
  let waiting = new Set<string>();
  let allWait = true;
  let waitingNext = new Set<string>();
  let allWaitNext = false;

  const freeLeases = () => Math.min(IN_FLIGHT_MAX - inFlightCount, HELD_MAX - heldCount);

  const mark = (key: string) => {
    waiting.add(key);
    waitingNext.add(key);
  };

  const take = (lane: Lane) => {
    if (!shards.mayBegin(lane.hostKey) || !lanes.enter(lane)) {
      mark(lane.hostKey);
      return false;
    }
    shards.enter(lane.hostKey);
    inFlightCount += 1;
    heldCount += 1;
    metrics.deliveriesInFlight.set(inFlightCount);
    return true;
  };

  const leave = (lane: Lane, answer: HostAnswer) => {
    const wasFull = lanes.leave(lane, answer) || freeLeases() <= 0;
    shards.leave(lane.hostKey);
    inFlightCount -= 1;
    metrics.deliveriesInFlight.set(inFlightCount);
    metrics.openBreakers.set(lanes.openBreakerCount());
    onFree(wasFull);
  };

  const endLease = () => {
    heldCount -= 1;
    if (heldCount === HELD_MAX - 1) onLeaseFree();
  };

  const settle = () => {
    reservedCount -= 1;
    if (reservedCount === 0) onSettled?.();
  };

  return {
    inFlightCount: () => inFlightCount,
    freeLeases,
    take,
    leave,
    endLease,
    reserve: (lane, begin) => {
      if (allWait || waiting.has(lane.hostKey) || waiting.has(lane.lane)) return null;
      if (freeLeases() <= 0 || !shards.mayBegin(lane.hostKey) || !take(lane)) return null;
      reservedCount += 1;
      return {
        begin: (claimed) => {
          begin(claimed);
          settle();
        },
        free: () => {
          leave(lane, NO_ANSWER);
          endLease();
          settle();
        },
      };
    },
    reservationsSettled: () =>
      new Promise((resolve) => {
        if (reservedCount === 0) resolve();
        else onSettled = resolve;
      }),
    markFull: ({ hosts, lanes: full }) => {
      for (const [key, free] of [...hosts, ...full]) if (free <= 0) mark(key);
    },
    markAll: () => {
      allWait = true;
      allWaitNext = true;
    },
    beginCycle: () => {
      allWaitNext = false;
      waitingNext = new Set();
    },
    endCycle: () => {
      allWait = allWaitNext;
      waiting = waitingNext;
    },
  };
}
