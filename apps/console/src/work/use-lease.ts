import { useEffect, useRef } from 'react';
import { serverNow } from '../api/server-time.ts';
import { absentMs } from '../api/session.ts';
import { useTitle } from '../look/page.tsx';
import { clockOf } from '../look/time.tsx';
import { useNow } from '../look/use-now.ts';
import type { Job, Kept } from './desk.ts';
import { keepLease, keptNow, loseLease } from './lease-clock.ts';
import { letGo } from './take-work.ts';

/** Milliseconds without a key or a pointer after which the warning is shown. */
const IDLE_MS = 5 * 60_000;
/** Milliseconds from the warning to the end. */
const WARNING_MS = 60_000;
/** The most milliseconds between two tries of a heartbeat that is due. */
const RETRY_MS_MAX = 5_000;

interface Lease {
  readonly secondsLeft: number;
  /** Seconds until others may take the request, in the last minute of an absence; else null. */
  readonly warning: number | null;
  /** What keeps the lease without a key pressed; null where the heartbeats do. */
  readonly place: Kept['place'] | null;
  /** Seconds since the phone call began; null without one. */
  readonly callSeconds: number | null;
}

/** A call keeps the lease for so long from its begin. */
const CALL_MS = 90 * 60_000;

/**
 * Renews the lease of the request on screen while the person is active, and releases it a minute after the warning: others
 * need not wait for the end of an unused lease.
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
    // The tick may be older than the service's time of the last answer.
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
    callSeconds: kept?.place === 'phone' ? Math.max(0, (now - kept.until + CALL_MS) / 1_000) : null,
  };
}

/** Asks the browser, at a click, whether this page may notify the person when they are in another window. */
export function askToNotify(): void {
  if ('Notification' in globalThis && Notification.permission === 'default')
    void Notification.requestPermission();
}

/**
 * Shows the last minute of a lease where a person who is elsewhere sees it: in the title of the tab, and in a
 * notification if that is allowed. Neither shows patient data.
 * @param secondsLeft null outside of the last minute.
 */
export function useLastMinute(secondsLeft: number | null): void {
  useTitle(secondsLeft === null ? 'Work' : `${clockOf(secondsLeft)} left: still there?`);
  const isLast = secondsLeft !== null;
  useEffect(() => {
    if (!isLast || !('Notification' in globalThis) || Notification.permission !== 'granted') return undefined;
    const notification = new Notification('Are you still there?', {
      body: 'Others get the request on your workbench within a minute.',
      tag: 'last-minute', // of two tabs, one
    });
    notification.addEventListener('click', () => window.focus());
    return () => notification.close();
  }, [isLast]);
}
