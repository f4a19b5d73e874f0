import { createFailureLog } from '../telemetry/create-failure-log.ts';
import type { Log } from '../telemetry/log.ts';

/** Milliseconds, from `min` to `max`. */
export interface Span {
  readonly min: number;
  readonly max: number;
}

export interface RoundsOptions {
  /** Does what is to do now. @returns milliseconds until the next round; null after the last. */
  readonly round: () => Promise<number | null>;
  /** From the start to the first round, at random: processes that start together do not all begin at once. */
  readonly firstMs: Span;
  /** From a failed round to the next: `min`, and twice as long with each further failure. */
  readonly retryMs: Span;
  /** What the log says of a failed round. */
  readonly failure: string;
  readonly log: Log;
}

/** Work of a process that comes round again and again, beside what it serves. */
export interface Rounds {
  /** Begins no round any more. Resolves when the one under way has ended, or after the deadline. */
  readonly stop: (deadlineMs: number) => Promise<void>;
}

/** Runs round after round, behind the start. Each says when the next comes; a failed one is told and tried again. */
export function startRounds({ round, firstMs, retryMs, failure, log }: RoundsOptions): Rounds {
  const tellFailure = createFailureLog(log, failure);
  let stopped = false;
  let failureCount = 0;
  let underWay: Promise<void> | undefined;

  const roundOrFailure = async (): Promise<number | null> => {
    try {
      const pauseMs = await round();
      failureCount = 0;
      return pauseMs;
    } catch (err) {
      if (!stopped) tellFailure(err); // a stop breaks rounds off
      failureCount += 1;
      return Math.min(retryMs.min * 2 ** (failureCount - 1), retryMs.max);
    }
  };

  const run = async () => {
    const pauseMs = await roundOrFailure();
    if (pauseMs !== null && !stopped) timer = begin(pauseMs);
  };
  const begin = (pauseMs: number) => setTimeout(() => void (underWay = run()), pauseMs);

  let timer = begin(firstMs.min + Math.random() * (firstMs.max - firstMs.min));
  return {
    stop: async (deadlineMs) => {
      stopped = true;
      clearTimeout(timer);
      const deadline = new Promise<void>((resolve) => setTimeout(resolve, deadlineMs).unref());
      await Promise.race([underWay, deadline]);
    },
  };
}
