import type { CountedFacts } from '@insurance-verification/store';
import type { Counter } from 'prom-client';
import { type Job, type Span, startJob } from '../../queue/start-job.ts';
import type { Log } from '../../telemetry/log.ts';

export interface FactCountingOptions {
  /** Counts the next batch, of at most this span. */
  readonly count: (spanSeconds: number) => Promise<CountedFacts>;
  /** Requests that became overdue, by `payer`. */
  readonly overdue: Pick<Counter<'payer'>, 'inc'>;
  readonly log: Log;
}

const FIRST_MS = { min: 5_000, max: 10_000 };

/** The span of a batch is adapted, so that one takes about this long: a batch is one transaction. */
const BATCH_MS = { min: 250, max: 1_000 };
const SPAN_SECONDS = { first: 600, min: 1, max: 86_400 };

/** How old the figures may become, and how often they are counted at most. */
const PAUSE_MS = { min: 10_000, max: 300_000 };

/** The pause after a batch, as a multiple of the time it took: a hundredth of one connection's time goes into counting. */
const PAUSES_PER_BATCH = 100;

/**
 * Counts the facts, batch after batch, behind the start: first what is there already, each batch followed by a pause as
 * long as itself, and from then on what is new. After a failure it waits, twice as long each time.
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
    firstMs: FIRST_MS,
    retryMs: PAUSE_MS,
    failure: 'counting the figures failed; it is tried again',
    log,
  });
}

const between = (value: number, { min, max }: Span) => Math.min(Math.max(value, min), max);
