import type { Gauge } from 'prom-client';
import { type Job, startJob } from '../../queue/start-job.ts';
import type { Log } from '../../telemetry/log.ts';

export interface MonthKeepingOptions {
  /** Creates missing partitions and moves the id sequence into the current month. Returns the new partitions' names. */
  readonly make: () => Promise<readonly string[]>;
  /** How many months after the present one have a part. */
  readonly count: () => Promise<number>;
  /** Shows that count. */
  readonly ahead: Pick<Gauge, 'set'>;
  readonly log: Log;
}

/** Behind the start and its readiness. */
const FIRST_MS = { min: 5_000, max: 15_000 };

const HOUR_MS = 3_600_000;

/** From a month's beginning to its first run, at most: processes do not all come at once. */
const SPREAD_MS = 10_000;

/**
 * Keeps the parts of the log for the months to come, hourly and when a month begins: the first process that comes then
 * lets ids go on in its part. A failure is logged and harms nobody: the last part takes what is written.
 */
export function startMonthKeeping({ make, count, ahead, log }: MonthKeepingOptions): Job {
  return startJob({
    run: async () => {
      try {
        const parts = await make();
        if (parts.length > 0) log.info({ parts }, 'made the parts of the log for the months to come');
      } finally {
        ahead.set(await count());
      }
      return pauseAfter(new Date());
    },
    firstMs: FIRST_MS,
    retryMs: { min: SPREAD_MS, max: HOUR_MS },
    failure: 'could not make the parts of the log for the months to come; it is tried again',
    log,
  });
}

/** Milliseconds until the next run: an hour, or until some seconds after the next month begins, in UTC. */
function pauseAfter(now: Date): number {
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  return Math.min(next - now.getTime() + Math.random() * SPREAD_MS, HOUR_MS);
}
