import { isDatabaseUnavailable } from '@insurance-verification/store';
import type { Log } from './log.ts';

/** Milliseconds between two lines about an unavailable database: a loop retries each second, for hours if need be. */
const OUTAGE_LINE_MS = 60_000;

/** Warns of a loop's failures; while the database is away, once a minute, and the rest at debug level. */
export function createFailureLog(log: Pick<Log, 'warn' | 'debug'>, sentence: string): (err: unknown) => void {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return (err) => {
    const isOutage = isDatabaseUnavailable(err);
    const isRepeat = isOutage && performance.now() - warnedAt < OUTAGE_LINE_MS;
    if (isOutage && !isRepeat) warnedAt = performance.now();
    log[isRepeat ? 'debug' : 'warn']({ err }, sentence);
  };
}
