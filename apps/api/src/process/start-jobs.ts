import {
  type CountedFacts,
  countFacts,
  countMonthsAhead,
  endBatches,
  eraseDue,
  keepBatches,
  keepEnded,
  makeMonths,
  noteTimeline,
  openSealFile,
  refreshQueueDepths,
  removeExpired,
  replanDeliveries,
  reportExpiringKeys,
  writeOutageEvents,
  type SealKey,
  sealLines,
  type SealMemory,
  type Store,
  type TimelineNote,
} from '@insurance-verification/store';
import type { Counter, Gauge } from 'prom-client';
import type { Config } from '../config/config.ts';
import { type Job, type Span, startJob } from '../queue/start-job.ts';
import { startErasure } from '../retention/start-erasure.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { SealingStatus } from '../telemetry/sealing-status.ts';
import type { OpenDatabase } from './database/open-database.ts';
import { type SealingJob, startSealing } from './start-sealing.ts';

interface JobsOptions {
  readonly config: Config;
  readonly database: OpenDatabase;
  readonly metrics: Metrics;
  readonly sealing: SealingStatus;
  readonly log: Log;
}

/** Seconds after which every transaction that began before is visible. */
const SETTLED_SECONDS = 5;

/** Requests that one transaction erases: it has their rows locked for some 50 ms. */
const ERASE_BATCH_COUNT = 200;

/** Starts the jobs of every process, whatever its roles. Jobs that need one runner take an advisory lock. */
export function startJobs({ config, database, metrics, sealing, log }: JobsOptions): SealingJob {
  const { store, directUrl, sealKey } = database;
  const seals = sealKey && startSealingInto({ config, store, key: sealKey, metrics, sealing, log });
  const all = [
    startBatchEnding({ end: () => endBatches(store), log }),
    startBatchKeeping({ keep: () => keepBatches(store, config.payers.routes), log }),
    startOutageReports({
      report: () => writeOutageEvents(store, (id) => config.payers.byId(id)?.name ?? id),
      log,
    }),
    startTimelineWatch({ note: () => noteTimeline(store), log }),
    startReplanning({ replan: () => replanDeliveries(store), log }),
    startEndKeeping({ keep: (withinSeconds) => keepEnded(store, withinSeconds), log }),
    startExpiryReports({ report: () => reportExpiringKeys(store), log }),
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

/** Between two looks at the timeline of the server: a promotion is reported seconds after it. */
const TIMELINE_MS = 5_000;

interface TimelineWatchOptions {
  readonly note: () => Promise<TimelineNote>;
  readonly log: Log;
}

/** Reports a promotion of a standby once, by one of the processes: it may have lost commits that were acknowledged. */
function startTimelineWatch({ note, log }: TimelineWatchOptions): Job {
  return startJob({
    run: async () => {
      const noted = await note();
      if (noted.kind === 'raised')
        log.warn(
          { from: noted.from, to: noted.to },
          'a standby was promoted: commits may be lost, see scaling.md',
        );
      return TIMELINE_MS;
    },
    firstMs: { min: 0, max: 500 },
    retryMs: { min: TIMELINE_MS, max: TIMELINE_MS },
    failure: 'the timeline of the database could not be read; it is tried again',
    log,
  });
}

/** Between two looks for what was planned while the clock was ahead. */
const REPLAN_MS = 5_000;

interface ReplanningOptions {
  /** @returns how many deliveries it planned again. */
  readonly replan: () => Promise<number>;
  readonly log: Log;
}

/** After the database's clock was set back, lets each delivery wait as long as it was to, and no longer. */
function startReplanning({ replan, log }: ReplanningOptions): Job {
  return startJob({
    run: async () => {
      const count = await replan();
      if (count > 0) log.warn({ count }, 'the clock was set back: deliveries were planned again');
      return REPLAN_MS;
    },
    firstMs: { min: 0, max: REPLAN_MS },
    retryMs: { min: REPLAN_MS, max: REPLAN_MS },
    failure: 'deliveries could not be planned again; it is tried again',
    log,
  });
}

interface HousekeepingOptions {
  /** Removes expired data. */
  readonly clean: () => Promise<void>;
  readonly log: Log;
}

/** The first cleaning comes about a minute after the start, when the process is ready. */
const FIRST_CLEANING_MS = { min: 30_000, max: 90_000 };

const HOUR_MS = 3_600_000;

/** Cleans soon after the start and hourly from then on, so that a process restarted within the hour cleans too. */
export function startHousekeeping({ clean, log }: HousekeepingOptions): Job {
  return startJob({
    run: async () => {
      await clean();
      return HOUR_MS;
    },
    firstMs: FIRST_CLEANING_MS,
    retryMs: { min: HOUR_MS, max: HOUR_MS },
    failure: 'housekeeping failed; the next hour tries again',
    log,
  });
}

/** Between two looks at the open batches: `batch.ended` comes within five seconds of the last result. */
const BATCHES_MS = 2_000;

/** One batch that fails must not keep the others waiting. */
const BATCH_LOOKS = { firstMs: { min: 500, max: BATCHES_MS }, retryMs: { min: BATCHES_MS, max: BATCHES_MS } };

/** Adds up the counters of batches, and ends them. */
function startBatchEnding({ end, log }: { readonly end: () => Promise<void>; readonly log: Log }): Job {
  return startJob({
    run: async () => {
      await end();
      return BATCHES_MS;
    },
    ...BATCH_LOOKS,
    failure: 'batches could not be ended; it is tried again',
    log,
  });
}

interface BatchKeepingOptions {
  /** Takes every open batch a step further, and says whether there is more to do at once. */
  readonly keep: () => Promise<{ readonly mayHaveMore: boolean }>;
  readonly log: Log;
}

/** Closes the rows of canceled batches, and completes what a lost call has left. */
function startBatchKeeping({ keep, log }: BatchKeepingOptions): Job {
  return startJob({
    run: async () => ((await keep()).mayHaveMore ? 0 : BATCHES_MS),
    ...BATCH_LOOKS,
    failure: 'batches could not be looked after; it is tried again',
    log,
  });
}

/** Between two looks at the keys and people that ended: their leases go back within a second. */
const ENDS_MS = 1_000;

/** Seconds by which two looks overlap: longer than a process may reuse its look-up of a key, and a call may take. */
const ENDS_OVERLAP_SECONDS = 20;

/** How far back the first look of a process goes: a call-back waits for 14 days at most. */
const FIRST_ENDS_SECONDS = 15 * 86_400;

interface EndKeepingOptions {
  /** Takes back the work of the keys and people that ended within so many seconds, and settles their endpoints. */
  readonly keep: (withinSeconds: number) => Promise<void>;
  readonly log: Log;
}

/** Takes back the work of ended keys and people every second; after a failure, of all that ended since the last look. */
function startEndKeeping({ keep, log }: EndKeepingOptions): Job {
  let lookedAt = performance.now() - 1_000 * FIRST_ENDS_SECONDS;
  return startJob({
    run: async () => {
      const startedAt = performance.now();
      await keep((startedAt - lookedAt) / 1_000 + ENDS_OVERLAP_SECONDS);
      lookedAt = startedAt;
      return ENDS_MS;
    },
    firstMs: { min: 0, max: ENDS_MS },
    retryMs: { min: ENDS_MS, max: 10 * ENDS_MS },
    failure: 'the work of ended keys and people could not be taken back; it is tried again',
    log,
  });
}

const MINUTE_MS = 60_000;

interface ExpiryReportsOptions {
  /** Writes the events of keys that end soon. */
  readonly report: () => Promise<number>;
  readonly log: Log;
}

/** Reports the keys that end soon, every minute. */
function startExpiryReports({ report, log }: ExpiryReportsOptions): Job {
  return startJob({
    run: async () => {
      await report();
      return MINUTE_MS;
    },
    firstMs: { min: 500, max: 2_000 },
    retryMs: { min: MINUTE_MS, max: MINUTE_MS },
    failure: 'keys that end soon could not be reported; it is tried again',
    log,
  });
}

/** Between two looks at payers that do not answer, which are reported after two minutes. */
const OUTAGES_MS = 5_000;

interface OutageReportsOptions {
  /** Writes the events of payers that do not answer, and that answer again. */
  readonly report: () => Promise<number>;
  readonly log: Log;
}

/** Reports the payers that do not answer. */
function startOutageReports({ report, log }: OutageReportsOptions): Job {
  return startJob({
    run: async () => {
      await report();
      return OUTAGES_MS;
    },
    firstMs: { min: 500, max: OUTAGES_MS },
    retryMs: { min: OUTAGES_MS, max: OUTAGES_MS },
    failure: 'payers that do not answer could not be reported; it is tried again',
    log,
  });
}

interface MonthKeepingOptions {
  /** Creates missing partitions and moves the id sequence into the current month. Returns the new partitions' names. */
  readonly make: () => Promise<readonly string[]>;
  /** The number of coming months that have a partition. */
  readonly count: () => Promise<number>;
  readonly ahead: Pick<Gauge, 'set'>;
  readonly log: Log;
}

const FIRST_MONTHS_MS = { min: 5_000, max: 15_000 };

/** The longest delay of the first run in a month: processes must not all run at once. */
const SPREAD_MS = 10_000;

/**
 * Creates the log's partitions for the coming months, hourly and when a month begins; the first run in a month moves the
 * id sequence into its partition. A failure is logged and loses nothing: the last partition takes the rows.
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
    firstMs: FIRST_MONTHS_MS,
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

interface FactCountingOptions {
  /** Counts the next batch, of at most this span. */
  readonly count: (spanSeconds: number) => Promise<CountedFacts>;
  /** Requests that became overdue, by `payer`. */
  readonly overdue: Pick<Counter<'payer'>, 'inc'>;
  readonly log: Log;
}

const FIRST_COUNTING_MS = { min: 5_000, max: 10_000 };

/** The span of a batch is adapted, so that one takes about this long: a batch is one transaction. */
const BATCH_MS = { min: 250, max: 1_000 };
const SPAN_SECONDS = { first: 600, min: 1, max: 86_400 };

/** The shortest pause between counts, and the greatest age of the figures. */
const PAUSE_MS = { min: 10_000, max: 300_000 };

/** The pause after a batch, as a multiple of the time it took: a hundredth of one connection's time goes into counting. */
const PAUSES_PER_BATCH = 100;

/**
 * Counts the facts in batches: existing rows first, with a pause after each batch as long as the batch, then new rows.
 * After a failure it waits twice as long each time.
 */
export function startFactCounting({ count, overdue, log }: FactCountingOptions): Job {
  let spanSeconds = SPAN_SECONDS.first;
  const multiplySpan = (factor: number) => void (spanSeconds = between(spanSeconds * factor, SPAN_SECONDS));

  const run = async (): Promise<number> => {
    const startedAt = performance.now();
    const counted = await count(spanSeconds).catch((err: unknown) => {
      multiplySpan(1 / 2); // the batch may have been too large for its time-out
      throw err;
    });
    const tookMs = performance.now() - startedAt;
    if (counted.kind === 'busy') return PAUSE_MS.min;
    for (const [payer, lateCount] of Object.entries(counted.overdue)) overdue.inc({ payer }, lateCount);
    if (counted.caughtUp) return between(tookMs * PAUSES_PER_BATCH, PAUSE_MS);
    if (tookMs < BATCH_MS.min) multiplySpan(2);
    if (tookMs > BATCH_MS.max) multiplySpan(1 / 2);
    return tookMs;
  };

  return startJob({
    run,
    firstMs: FIRST_COUNTING_MS,
    retryMs: PAUSE_MS,
    failure: 'counting the figures failed; it is tried again',
    log,
  });
}

const between = (value: number, { min, max }: Span) => Math.min(Math.max(value, min), max);
