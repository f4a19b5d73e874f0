import type { Hints } from '../../procedure/context/app.ts';
import { HintBatch, type HintCounts, notificationText, readNotification } from './hint-batch.ts';

/** Minimum milliseconds between two notifications; changes in between are merged. */
const PAUSE_MS = 250;

export interface HintsOptions {
  /** Names this process among those that share the database. */
  readonly name: string;
  /** Notifies the other processes. */
  readonly notifyOthers: (payload: string) => Promise<void>;
  /** Sends the changes to this process's streams. */
  readonly send: (counts: HintCounts) => void;
}

/**
 * Merges changes: each process sends to its streams, and notifies the others, at most four times a second, however
 * much changes. The first change after a pause is sent at once.
 */
export function createHints({ name, notifyOthers, send }: HintsOptions): Hints & {
  /** The handler of `console_hint` for `listen`. */
  readonly hear: (payload: string) => void;
  readonly close: () => void;
} {
  const here = new HintBatch();
  const elsewhere = new HintBatch();
  let timer: NodeJS.Timeout | undefined;
  let sentAt = -Infinity;
  let closed = false;

  const sendAll = () => {
    timer = undefined;
    sentAt = performance.now();
    if (!elsewhere.isEmpty)
      notifyOthers(notificationText({ from: name, changes: elsewhere.take() })).catch(() => undefined); // pages look by themselves
    send(here.take());
  };
  const soon = () => {
    if (closed) return;
    timer ??= setTimeout(sendAll, Math.max(0, sentAt + PAUSE_MS - performance.now())).unref();
  };
  return {
    publish: (change, accountId) => {
      here.add(change, accountId);
      elsewhere.add(change, accountId);
      soon();
    },
    hear: (payload) => {
      if (payload === '') here.addAll(EVERYTHING); // nobody listened for a while
      const notification = readNotification(payload);
      if (notification && notification.from !== name) here.addAll(notification.changes);
      if (!here.isEmpty) soon();
    },
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
}

const ONE = { '': 1 };
const EVERYTHING: HintCounts = {
  request: ONE,
  work: ONE,
  held: ONE,
  delivery: ONE,
  access: ONE,
  session: ONE,
};
