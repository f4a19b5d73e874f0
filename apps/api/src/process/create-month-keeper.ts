import { countMonthsAhead, makeMonths } from '@insurance-verification/store';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';

interface MonthKeeping {
  /** Of the role that owns the tables. */
  readonly directUrl: string;
  readonly metrics: Pick<Metrics, 'monthsAhead'>;
  readonly log: Log;
}

/**
 * Makes the tables of the months to come, and tells how many there are. A failure is told and harms nobody: until one
 * round succeeds, the last tables take what is written.
 */
export function createMonthKeeper({ directUrl, metrics, log }: MonthKeeping): () => Promise<void> {
  return async () => {
    try {
      const made = await makeMonths(directUrl);
      if (made.length > 0) log.info({ tables: made }, 'made the tables of the months to come');
    } catch (err) {
      log.warn({ err }, 'could not make the tables of the next month; the next hour tries again');
    }
    try {
      metrics.monthsAhead.set(await countMonthsAhead(directUrl));
    } catch (err) {
      log.warn({ err }, 'could not count the months that have tables');
    }
  };
}
