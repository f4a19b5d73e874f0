import { useEffect, useRef } from 'react';
import { absentMs } from '../../api/presence.ts';
import { serverNow } from '../../api/server-time.ts';
import { useNow } from '../use-now.ts';
import type { Job } from './desk.ts';
import { keepLease, loseLease } from './lease-clock.ts';

/** Milliseconds without a key or a pointer after which the warning is shown. */
const IDLE_MS = 5 * 60_000;
/** Milliseconds from the warning to the end of the heartbeats. */
const WARNING_MS = 60_000;

export interface Lease {
  readonly secondsLeft: number;
  /** Seconds until the heartbeats stop; null while the person is active. */
  readonly warning: number | null;
  /** Whether the person is on a phone call, which extends lease and session without input. */
  readonly onCall: boolean;
}

/** Renews the lease of the request on screen while the person is active. */
export function useLease(requestId: string, job: Job): Lease {
  const now = useNow();
  const renewedAt = useRef(serverNow());
  const { lease, leaseEndsAt, leaseMs, onCallUntil } = job;
  const onCall = onCallUntil !== null && now < onCallUntil;
  const absent = onCall ? 0 : absentMs();
  const isThere = absent < IDLE_MS + WARNING_MS;

  useEffect(() => {
    if (lease === 'lost') return;
    // The tick's own time may be older than what the last answer told of the service's clock.
    const at = serverNow();
    if (at >= leaseEndsAt) loseLease(requestId);
    // A call holds the lease by itself.
    else if (!onCall && isThere && at - renewedAt.current >= leaseMs / 3) {
      renewedAt.current = at;
      void keepLease(requestId);
    }
  }, [now, lease, leaseEndsAt, leaseMs, onCall, isThere, requestId]);

  return {
    secondsLeft: Math.max(0, (leaseEndsAt - now) / 1_000),
    warning: absent >= IDLE_MS && isThere ? (IDLE_MS + WARNING_MS - absent) / 1_000 : null,
    onCall,
  };
}
