import { useEffect, useRef, useState } from 'react';
import { absentMs, holdPresence } from '../api/presence.ts';
import { serverNow } from '../api/server-time.ts';
import { type Job, keep, lose } from './desk.ts';
import { useNow } from './use-now.ts';

/** Without a key or a pointer for this long, nobody may be there. */
const IDLE_MS = 5 * 60_000;
/** From the warning to the end of the heartbeats. */
const WARNING_MS = 60_000;
/** A call with a payer may take this long without a key being pressed. */
const CALL_MS = 90 * 60_000;

export interface Lease {
  readonly secondsLeft: number;
  /** Seconds until the lease is let go, once nobody seems to be there; null while somebody is. */
  readonly warning: number | null;
  /** Whether the person is on a call, which keeps lease and session without keys being pressed. */
  readonly onCall: boolean;
  readonly toggleCall: () => void;
}

/** Keeps the lease of what is on screen for as long as somebody works on it. */
export function useLease(requestId: string, job: Job): Lease {
  const now = useNow();
  const [callUntil, setCallUntil] = useState(0);
  const renewedAt = useRef(serverNow());
  const onCall = now < callUntil;
  const absent = absentMs();
  const isThere = absent < IDLE_MS + WARNING_MS;

  const { lease, leaseEndsAt, leaseMs } = job;
  useEffect(() => {
    if (lease === 'lost') return;
    if (now >= leaseEndsAt) lose(requestId);
    else if (isThere && now - renewedAt.current >= leaseMs / 3) {
      renewedAt.current = now;
      void keep(requestId);
    }
  }, [now, lease, leaseEndsAt, leaseMs, isThere, requestId]);
  // The call belongs to this request.
  useEffect(() => () => holdPresence(0), []);

  return {
    secondsLeft: Math.max(0, (leaseEndsAt - now) / 1_000),
    warning: absent >= IDLE_MS && isThere ? (IDLE_MS + WARNING_MS - absent) / 1_000 : null,
    onCall,
    toggleCall: () => {
      const until = onCall ? 0 : Date.now() + CALL_MS;
      setCallUntil(onCall ? 0 : serverNow() + CALL_MS);
      holdPresence(until);
    },
  };
}
