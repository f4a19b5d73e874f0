import { type Job, startJob } from '../../queue/start-job.ts';
import type { Log } from '../../telemetry/log.ts';

export interface HousekeepingOptions {
  /** Removes expired data. */
  readonly clean: () => Promise<void>;
  readonly log: Log;
}

/** About a minute: the start and its readiness come first. */
const FIRST_MS = { min: 30_000, max: 90_000 };

const HOUR_MS = 3_600_000;

/** Cleans soon after the start and hourly from then on, so that a process restarted within the hour cleans too. */
export function startHousekeeping({ clean, log }: HousekeepingOptions): Job {
  return startJob({
    run: async () => {
      await clean();
      return HOUR_MS;
    },
    firstMs: FIRST_MS,
    retryMs: { min: HOUR_MS, max: HOUR_MS },
    failure: 'housekeeping failed; the next hour tries again',
    log,
  });
}
