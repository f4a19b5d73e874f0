import type { Hints } from '../../../procedure/context/app/hints.ts';
import { HintBatch, type HintCounts, notificationText, readNotification } from './hint-batch.ts';

/** Milliseconds between two tellings: what changes meanwhile is told with the next. */
const PAUSE_MS = 250;

export interface HintsOptions {
  /** Names this process among those that share the database. */
  readonly name: string;
  /** Notifies the other processes. */
  readonly notify: (payload: string) => Promise<void>;
  /** Tells this process's streams. */
  readonly told: (counts: HintCounts) => void;
}

/**
 * Merges changes: each process tells its streams, and notifies the others, at most four times a second, however much
 * changes. The first change after a pause is told at once.
 */
export function createHints({ name, notify, told }: HintsOptions): Hints & {
  /** The handler of `console_hint` for `listen`. */
  readonly hear: (payload: string) => void;
  readonly close: () => void;
} {
  const here = new HintBatch();
  const elsewhere = new HintBatch();
  let timer: NodeJS.Timeout | undefined;
  let toldAt = -Infinity;
  let closed = false;

  const tellAll = () => {
    timer = undefined;
    toldAt = performance.now();
    if (!elsewhere.isEmpty)
      notify(notificationText({ from: name, changes: elsewhere.take() })).catch(() => undefined); // pages look by themselves
    told(here.take());
  };
  const soon = () => {
    if (closed) return;
    timer ??= setTimeout(tellAll, Math.max(0, toldAt + PAUSE_MS - performance.now())).unref();
  };
  return {
    tell: (change, accountId) => {
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
