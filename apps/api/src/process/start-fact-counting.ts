import type { CountedFacts } from '@insurance-verification/store';
import { createFailureLog } from '../telemetry/create-failure-log.ts';
import type { Log } from '../telemetry/log.ts';

export interface FactCountingOptions {
  /** Counts the next batch, of at most this span. */
  readonly count: (spanSeconds: number) => Promise<CountedFacts>;
  readonly log: Log;
}

/** Milliseconds from the start to the first batch, at least; jittered by as much again. */
const FIRST_MS = 5_000;

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
export function startFactCounting({ count, log }: FactCountingOptions): { readonly stop: () => void } {
  const tellFailure = createFailureLog(log, 'counting the figures failed; it is tried again');
  let stopped = false;
  let spanSeconds = SPAN_SECONDS.first;
  let failureCount = 0;

  const batch = async (): Promise<number> => {
    const startedAt = performance.now();
    const counted = await count(spanSeconds);
    const tookMs = performance.now() - startedAt;
    failureCount = 0;
    if (counted.kind === 'busy') return PAUSE_MS.min;
    if (counted.caughtUp) return between(tookMs * PAUSES_PER_BATCH, PAUSE_MS);
    if (tookMs < BATCH_MS.min) spanSeconds = between(spanSeconds * 2, SPAN_SECONDS);
    if (tookMs > BATCH_MS.max) spanSeconds = between(spanSeconds / 2, SPAN_SECONDS);
    return tookMs;
  };

  const round = async () => {
    const pauseMs = await batch().catch((err: unknown) => {
      if (!stopped) tellFailure(err);
      failureCount += 1;
      // Also smaller: the batch may have been too large for its time-out.
      spanSeconds = between(spanSeconds / 2, SPAN_SECONDS);
      return between(PAUSE_MS.min * 2 ** (failureCount - 1), PAUSE_MS);
    });
    if (!stopped) timer = setTimeout(() => void round(), pauseMs);
  };

  let timer = setTimeout(() => void round(), FIRST_MS * (1 + Math.random()));
  return {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

const between = (value: number, { min, max }: { readonly min: number; readonly max: number }) =>
  Math.min(Math.max(value, min), max);
