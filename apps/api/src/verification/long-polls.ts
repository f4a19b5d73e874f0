import { notifyWork, type Store } from '@insurance-verification/store';
import type { LongPolls } from '../procedure/context/app.ts';
import type { Log } from '../telemetry/log.ts';

/** The poll guarantees what a wake only speeds up: one look a second for each key. */
const POLL_MS = 1_000;

/** Wakes that come faster than this are merged: a stream of requests for others must not wake every poll. */
const CALM_MS = 50;

export function createLongPolls(): LongPolls {
  /** Who waits, by key; first come, first served. */
  const queues = new Map<string, (() => void)[]>();
  let wakeCount = 0;
  let closed = false;
  let poll: NodeJS.Timeout | undefined;
  let calm: NodeJS.Timeout | undefined;
  let wakeIsOpen = false;

  // Wakes one of each queue: it finds something and lets the next one look, or there is nothing for any of them.
  // Otherwise fifty that wait for one request would ask the database fifty times.
  const letFirstLook = () => {
    for (const queue of queues.values()) queue.at(0)?.();
  };

  const wake = () => {
    if (calm) {
      wakeIsOpen = true;
      return;
    }
    letFirstLook();
    calm = setTimeout(() => {
      calm = undefined;
      if (!wakeIsOpen) return;
      wakeIsOpen = false;
      wake();
    }, CALM_MS);
  };

  const stay = (key: string, milliseconds: number, signal: AbortSignal, isFirst: boolean) =>
    new Promise<void>((resolve) => {
      const queue = queues.get(key) ?? [];
      queues.set(key, queue);
      const leave = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
        queue.splice(queue.indexOf(leave), 1);
        if (queue.length === 0) queues.delete(key);
        if (queues.size === 0) {
          clearInterval(poll);
          poll = undefined;
        }
        resolve();
      };
      const timer = setTimeout(leave, milliseconds);
      signal.addEventListener('abort', leave);
      if (isFirst) queue.unshift(leave);
      else queue.push(leave);
      poll ??= setInterval(letFirstLook, POLL_MS);
    });

  return {
    wake: () => {
      wakeCount += 1;
      wake();
    },
    close: () => {
      closed = true;
      clearTimeout(calm);
      for (const queue of queues.values()) while (queue.length > 0) queue[0]?.();
    },
    waitFor: async ({ key, milliseconds, signal, look }) => {
      const until = performance.now() + milliseconds;
      let hasWaited = false;
      for (;;) {
        const seen = wakeCount;
        const items = await look();
        if (items.length > 0) {
          queues.get(key)?.at(0)?.();
          return items;
        }
        const left = until - performance.now();
        if (left <= 0 || signal.aborted || closed) return [];
        const stayed = stay(key, left, signal, hasWaited);
        // A wake during the look may be about work that came after it.
        if (seen !== wakeCount) wake();
        await stayed;
        hasWaited = true;
        if (signal.aborted) return [];
      }
    },
  };
}

/** Notifies the other processes that there is work. */
type WorkNotifier = () => void;

/** Milliseconds between two notifications: work that arrives meanwhile is announced with the next. */
const PAUSE_MS = 250;

export function createWorkNotifier(store: Store, log: Log): WorkNotifier {
  let timer: NodeJS.Timeout | undefined;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      notifyWork(store).catch((err: unknown) => log.debug({ err }, 'notifying failed; polls find it'));
    }, PAUSE_MS).unref();
  };
}
