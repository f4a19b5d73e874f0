import { useEffect, useState, useSyncExternalStore } from 'react';
import { serverNow } from '../api/server-time.ts';

const TICK_MS = 1_000;

/** What follows the clock also in a hidden tab, and what only a visible one shows. */
const [always, shown] = [new Set<() => void>(), new Set<() => void>()];

let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  for (const listener of document.hidden ? always : [...always, ...shown]) listener();
}

/** Runs the one interval of the page while something follows it that the tab has a use for. */
function runIfFollowed(): void {
  const isFollowed = always.size > 0 || (shown.size > 0 && !document.hidden);
  if (isFollowed === (timer !== undefined)) return;
  clearInterval(timer);
  timer = isFollowed ? setInterval(tick, TICK_MS) : undefined;
}

document.addEventListener('visibilitychange', () => {
  runIfFollowed();
  if (!document.hidden) tick();
});

function follow(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  runIfFollowed();
  return () => {
    listeners.delete(listener);
    runIfFollowed();
  };
}

/** The service's time in milliseconds, updated each second, also in a hidden tab: leases end there too. */
export function useNow(): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => follow(always, () => setNow(serverNow())), []);
  return now;
}

const followShown = (listener: () => void) => follow(shown, listener);

/**
 * A text that depends on the service's time, such as an age. Its component is rendered again only when the text changes,
 * so one in minutes changes once a minute; in a hidden tab it rests.
 */
export function useByClock(textAt: (now: number) => string): string {
  const read = () => textAt(serverNow());
  return useSyncExternalStore(followShown, read, read);
}
