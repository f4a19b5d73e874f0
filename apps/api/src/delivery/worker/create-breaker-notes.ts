import { type BreakerChange, noteBreaker, type Store } from '@insurance-verification/store';
import { createFailureLog } from '../../telemetry/create-failure-log.ts';
import type { Log } from '../../telemetry/log.ts';

/**
 * Writes down what the breakers of this worker's hosts become, for whoever asks about their deliveries; one after the
 * other for each host, so that the last one stands. What cannot be written is logged: the breaker itself goes on.
 */
export function createBreakerNotes(
  store: Store,
  log: Log,
): (hostKey: string, retrySeconds: number | null) => void {
  const last = new Map<string, Promise<void>>();
  const failed = createFailureLog(log, 'a paused receiver could not be noted');
  const noteAfter = async (before: Promise<void> | undefined, change: BreakerChange) => {
    await before;
    try {
      await noteBreaker(store, change);
    } catch (err) {
      failed(err);
    }
  };
  return (hostKey, retrySeconds) => {
    const noted = noteAfter(last.get(hostKey), { hostKey, retrySeconds });
    last.set(hostKey, noted);
    void forgetOnce(noted, hostKey);
  };

  async function forgetOnce(noted: Promise<void>, hostKey: string): Promise<void> {
    await noted;
    if (last.get(hostKey) === noted) last.delete(hostKey);
  }
}
