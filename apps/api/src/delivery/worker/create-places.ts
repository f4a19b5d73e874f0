import type { Lane } from '@insurance-verification/store';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { HostAnswer, Lanes } from '../lanes/create-lanes.ts';
import type { Shards } from '../lanes/create-shards.ts';

/**
 * What one process has under way. A delivery takes a place, in its lane too, and a lease. The place is free again at the
 * receiver's answer, the lease when that is written.
 */
export interface Places {
  readonly inFlightCount: () => number;
  /** How many more deliveries may be leased. */
  readonly leaseRoom: () => number;
  /** False when the lane has no place, or its host is another process's. */
  readonly take: (lane: Lane) => boolean;
  readonly leave: (lane: Lane, answer: HostAnswer) => void;
  readonly endLease: () => void;
}

export interface PlacesOptions {
  readonly lanes: Lanes;
  readonly shards: Pick<Shards, 'mayBegin' | 'enter' | 'leave'>;
  readonly metrics: Pick<Metrics, 'deliveriesInFlight' | 'openBreakers'>;
  /** A place came free. `wasFull`: rows may have been waiting for it. */
  readonly onLeave: (wasFull: boolean) => void;
  /** Leases were used up, and one is free again. */
  readonly onLeaseRoom: () => void;
}

/** Concurrent attempts in one process, until the receiver's answer. */
const IN_FLIGHT_MAX = 256;

/**
 * Leases held by one process: attempts under way, and answered ones not yet recorded. This bounds the backlog while the
 * database is slow or away.
 */
const HELD_MAX = 512;

export function createPlaces({ lanes, shards, metrics, onLeave, onLeaseRoom }: PlacesOptions): Places {
  let inFlightCount = 0;
  let heldCount = 0;
  const leaseRoom = () => Math.min(IN_FLIGHT_MAX - inFlightCount, HELD_MAX - heldCount);
  return {
    inFlightCount: () => inFlightCount,
    leaseRoom,
    take: (lane) => {
      if (!shards.mayBegin(lane.hostKey) || !lanes.enter(lane)) return false;
      shards.enter(lane.hostKey);
      inFlightCount += 1;
      heldCount += 1;
      metrics.deliveriesInFlight.set(inFlightCount);
      return true;
    },
    leave: (lane, answer) => {
      const wasFull = lanes.leave(lane, answer) || leaseRoom() <= 0;
      shards.leave(lane.hostKey);
      inFlightCount -= 1;
      metrics.deliveriesInFlight.set(inFlightCount);
      metrics.openBreakers.set(lanes.openBreakerCount());
      onLeave(wasFull);
    },
    endLease: () => {
      heldCount -= 1;
      if (heldCount === HELD_MAX - 1) onLeaseRoom();
    },
  };
}
