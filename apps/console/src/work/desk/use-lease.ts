import { useEffect, useRef } from 'react';
import { absentMs } from '../../api/presence.ts';
import { serverNow } from '../../api/server-time.ts';
import { useNow } from '../use-now.ts';
import type { Job, Kept } from './desk.ts';
import { letGo } from './give-up.ts';
import { keepLease, keptNow, loseLease } from './lease-clock.ts';

/** Milliseconds without a key or a pointer after which the warning is shown. */
const IDLE_MS = 5 * 60_000;
/** Milliseconds from the warning to the end. */
const WARNING_MS = 60_000;
/** The most milliseconds between two tries of a heartbeat that is due. */
const RETRY_MS_MAX = 5_000;

export interface Lease {
  readonly secondsLeft: number;
  /** Seconds until others may take the request, within the last minute and while nobody is there; else null. */
  readonly warning: number | null;
  /** What keeps the lease without a key pressed; null where the heartbeats do. */
  readonly place: Kept['place'] | null;
}

/**
 * Renews the lease of the request on screen while the person is active, and lets it go a minute after the warning: what
 * the warning says is so, and others need not wait for the end of a lease that nobody uses.
 */
export function useLease(requestId: string, job: Job): Lease {
  const now = useNow();
  const triedAt = useRef(0);
  const { lease, leaseEndsAt, leaseMs } = job;
  const kept = keptNow(job);
  const absent = absentMs();
  const isThere = absent < IDLE_MS;
  // A call or a portal ends at its time; otherwise an absence does.
  const goesAt = kept ? leaseEndsAt : Math.min(leaseEndsAt, now + IDLE_MS + WARNING_MS - absent);
  const isKept = kept !== null;

  useEffect(() => {
    if (lease === 'lost') return;
    // The tick's own time may be older than what the last answer said of the service's clock.
    const at = serverNow();
    if (at >= leaseEndsAt) return loseLease(requestId);
    if (!isKept && absent >= IDLE_MS + WARNING_MS) return void letGo(requestId);
    const isDue = leaseEndsAt - at <= (leaseMs * 2) / 3;
    // During the warning it is renewed only where it would end before the minute is over.
    const isWanted = isThere || (!isKept && leaseEndsAt < at + IDLE_MS + WARNING_MS - absent);
    if (!isDue || !isWanted || at - triedAt.current < Math.min(RETRY_MS_MAX, leaseMs / 3)) return;
    triedAt.current = at;
    void keepLease(requestId);
  }, [now, lease, leaseEndsAt, leaseMs, isKept, isThere, absent, requestId]);

  const secondsToGo = (goesAt - now) / 1_000;
  return {
    secondsLeft: Math.max(0, (leaseEndsAt - now) / 1_000),
    warning: isThere || secondsToGo > WARNING_MS / 1_000 ? null : Math.max(0, secondsToGo),
    place: kept?.place ?? null,
  };
}
