import { findLiveKeys, type Store } from '@insurance-verification/store';
import type { Log } from '../telemetry/log.ts';

/** Milliseconds between two looks at the keys: what a key holds open ends within a second of it. */
const LOOK_MS = 1_000;

/** Ends what keys hold open, such as a stream, once they are revoked, expired or suspended. */
export interface KeyWatch {
  /** Calls `end` once the key has ended. @returns a function that ends the watch of it. */
  readonly add: (keyId: string, end: () => void) => () => void;
  readonly stop: () => void;
}

/** Starts to watch: one statement a second for all keys of the process, and none while nothing is held open. */
export function startKeyWatch(store: Store, log: Log): KeyWatch {
  const held = new Set<{ readonly keyId: string; readonly end: () => void }>();
  let isLooking = false;

  const look = async () => {
    const watched = [...held];
    const live = await findLiveKeys(store, [...new Set(watched.map(({ keyId }) => keyId))]);
    for (const one of watched) if (!live.has(one.keyId) && held.delete(one)) one.end();
  };
  const lookAgain = async () => {
    if (isLooking || held.size === 0) return;
    isLooking = true;
    try {
      await look();
    } catch (err) {
      log.debug({ err }, 'keys unread; what they hold open stays until they are');
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(() => void lookAgain(), LOOK_MS).unref();
  return {
    add: (keyId, end) => {
      const one = { keyId, end };
      held.add(one);
      return () => void held.delete(one);
    },
    stop: () => clearInterval(timer),
  };
}
