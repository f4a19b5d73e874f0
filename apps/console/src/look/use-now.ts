import { useEffect, useState, useSyncExternalStore } from 'react';
import { serverNow } from '../api/server-time.ts';

const TICK_MS = 1_000;

/** What follows the clock, and whether it does so in a hidden tab too. */
const followers = new Map<() => void, boolean>();

/** The one interval of the page; undefined while nothing follows it. */
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  for (const [follower, isAlways] of followers) if (isAlways || !document.hidden) follower();
}

// Ages that rested are right at once where the tab is seen again.
document.addEventListener('visibilitychange', tick);

function follow(follower: () => void, isAlways: boolean): () => void {
  followers.set(follower, isAlways);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    followers.delete(follower);
    if (followers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The service's time in milliseconds, updated each second, also in a hidden tab: leases end there too. */
export function useNow(): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => follow(() => setNow(serverNow()), true), []);
  return now;
}

const followShown = (follower: () => void) => follow(follower, false);

/**
 * A text that depends on the service's time, such as an age. Its component is rendered again only when the text changes,
 * so one in minutes changes once a minute; in a hidden tab it rests.
 */
export function useByClock(textAt: (now: number) => string): string {
  const read = () => textAt(serverNow());
  return useSyncExternalStore(followShown, read, read);
}
