import {
  countFacts,
  countMonthsAhead,
  eraseDue,
  makeMonths,
  openSealFile,
  refreshQueueDepths,
  removeExpired,
  type SealKey,
  sealLines,
  type SealMemory,
  type Store,
} from '@insurance-verification/store';
import type { Config } from '../../config/config.ts';
import { startErasure } from '../../retention/start-erasure.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { SealingStatus } from '../../telemetry/sealing-status.ts';
import type { OpenDatabase } from '../database/open-database.ts';
import { type SealingJob, startSealing } from '../sealing/start-sealing.ts';
import { startFactCounting } from './start-fact-counting.ts';
import { startHousekeeping } from './start-housekeeping.ts';
import { startMonthKeeping } from './start-month-keeping.ts';

export interface JobsOptions {
  readonly config: Config;
  readonly database: OpenDatabase;
  readonly metrics: Metrics;
  readonly sealing: SealingStatus;
  readonly log: Log;
}

/** Seconds after which nobody can begin a transaction unseen that started before. */
const SETTLED_SECONDS = 5;

/** Requests that one transaction erases: it has their rows locked for some 50 ms. */
const ERASE_BATCH_COUNT = 200;

/** Starts the jobs of every process, whatever its roles. Jobs that need one runner take an advisory lock. */
export function startJobs({ config, database, metrics, sealing, log }: JobsOptions): SealingJob {
  const { store, directUrl, sealKey } = database;
  const seals = sealKey && startSealingInto({ config, store, key: sealKey, metrics, sealing, log });
  const all = [
    startHousekeeping({ clean: () => removeExpired(store), log }),
    startMonthKeeping({
      make: () => makeMonths(directUrl),
      count: () => countMonthsAhead(directUrl),
      ahead: metrics.monthsAhead,
      log,
    }),
    startFactCounting({
      count: async (spanSeconds) => {
        await refreshQueueDepths(store, config.payers);
        return countFacts(store, { spanSeconds, settledSeconds: SETTLED_SECONDS });
      },
      overdue: metrics.requestsOverdue,
      log,
    }),
    startErasure({
      erase: (after) => eraseDue(store, { limit: ERASE_BATCH_COUNT, after }),
      erased: metrics.requestsErased,
      log,
    }),
    seals,
  ].filter((job) => job !== undefined);
  return {
    stop: async (deadlineMs) => void (await Promise.all(all.map((job) => job.stop(deadlineMs)))),
    sealRest: async () => seals?.sealRest(),
  };
}

interface SealingParts {
  readonly config: Config;
  readonly store: Store;
  readonly key: SealKey;
  readonly metrics: Metrics;
  readonly sealing: SealingStatus;
  readonly log: Log;
}

function startSealingInto({ config, store, key, metrics, sealing, log }: SealingParts): SealingJob {
  const memory: SealMemory = { last: null };
  const file = config.auditSealFile === undefined ? undefined : openSealFile(config.auditSealFile);
  return startSealing({
    seal: (waitMs) => sealLines(store, { key, file, memory, ...(waitMs !== undefined && { waitMs }) }),
    status: sealing,
    misdatedLines: metrics.misdatedLines,
    alteredTables: metrics.alteredTables,
    log,
  });
}
