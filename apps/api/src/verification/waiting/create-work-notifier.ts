import { notifyWork, type Store } from '@insurance-verification/store';
import type { Log } from '../../telemetry/log.ts';

/** Notifies the other processes that there is work. */
export type WorkNotifier = () => void;

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
