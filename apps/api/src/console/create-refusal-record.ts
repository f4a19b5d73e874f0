import {
  isDatabaseUnavailable,
  recordRefusedSignIn,
  type RefusedSignIn,
  type Store,
} from '@insurance-verification/store';
import type { Log } from '../telemetry/log.ts';

/** Lines a minute of this process: strangers may try all day, and the audit is permanent. */
const LINES_PER_MINUTE = 60;

const MINUTE_MS = 60_000;

/**
 * Puts refused sign-ins into the audit, up to a number a minute; behind it the log alone has them. An address has ten
 * tries a minute besides (`sign-in`).
 */
export function createRefusalRecord(store: Store, log: Log): (refused: RefusedSignIn) => Promise<void> {
  let minute = { at: Number.NEGATIVE_INFINITY, count: 0 };
  return async (refused) => {
    const now = performance.now();
    if (now - minute.at > MINUTE_MS) minute = { at: now, count: 0 };
    minute.count += 1;
    if (minute.count === LINES_PER_MINUTE + 1)
      log.warn({ lines: LINES_PER_MINUTE }, 'more sign-ins are refused than the audit takes in a minute');
    if (minute.count > LINES_PER_MINUTE) return;
    await recordRefusedSignIn(store, refused).catch((err: unknown) => {
      // The person is refused all the same.
      if (!isDatabaseUnavailable(err)) throw err;
      log.warn({ err }, 'a refused sign-in could not be put into the audit');
    });
  };
}
