import { createFailureLog, type Log } from '../telemetry/log.ts';

/** Milliseconds, from `min` to `max`. */
export interface Span {
  readonly min: number;
  readonly max: number;
}

export interface JobOptions {
  /** Does what is to do now. @returns milliseconds until the next run; null after the last. */
  readonly run: () => Promise<number | null>;
  /** From the start to the first run, at random: processes that start together do not all begin at once. */
  readonly firstMs: Span;
  /** From a failed run to the next: `min`, and twice as long with each further failure. */
  readonly retryMs: Span;
  /** What the log says of a failed run. */
  readonly failure: string;
  readonly log: Log;
}

/** A repeated background task of a process. */
export interface Job {
  /** Begins no run any more. Resolves when the one under way has ended, or after the deadline. */
  readonly stop: (deadlineMs: number) => Promise<void>;
}

/** Runs a job repeatedly. Each run returns the milliseconds until the next; a failed one is logged and tried again. */
export function startJob({ run, firstMs, retryMs, failure, log }: JobOptions): Job {
  const logFailure = createFailureLog(log, failure);
  let stopped = false;
  let failureCount = 0;
  let underWay: Promise<void> | undefined;

  const runOrFailure = async (): Promise<number | null> => {
    try {
      const pauseMs = await run();
      failureCount = 0;
      return pauseMs;
    } catch (err) {
      if (!stopped) logFailure(err); // a stop breaks a run off
      failureCount += 1;
      return Math.min(retryMs.min * 2 ** (failureCount - 1), retryMs.max);
    }
  };

  const runOnce = async () => {
    const pauseMs = await runOrFailure();
    if (pauseMs !== null && !stopped) timer = begin(pauseMs);
  };
  const begin = (pauseMs: number) => setTimeout(() => void (underWay = runOnce()), pauseMs);

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
