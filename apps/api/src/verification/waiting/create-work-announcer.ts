import { announceWork, type Store } from '@insurance-verification/store';
import type { Log } from '../../telemetry/log.ts';

/** Tells the other processes that there is work. */
export type WorkAnnouncer = () => void;

/** Milliseconds between two announcements: what arrives meanwhile is told with the next. */
const PAUSE_MS = 250;

export function createWorkAnnouncer(store: Store, log: Log): WorkAnnouncer {
  let timer: NodeJS.Timeout | undefined;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      announceWork(store).catch((err: unknown) =>
        log.debug({ err }, 'announcing work failed; polls find it'),
      );
    }, PAUSE_MS).unref();
  };
}
