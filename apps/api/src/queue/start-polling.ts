/** A loop that works a queue. */
export interface Polling {
  /** Signals possible work: starts a cycle now rather than at the next poll. */
  readonly wake: () => void;
  /** Ends the loop. Resolves when the cycle under way has ended. */
  readonly stop: () => Promise<void>;
}

export interface PollingOptions {
  /** Resolves true when there may be more work at once. */
  readonly cycle: () => Promise<boolean>;
  /**
   * Minimum milliseconds from the start of the cycle that has ended to the next, unless there may be more work at once.
   * None when left out.
   */
  readonly pauseMs?: () => number;
  /** Gets the error of a failed cycle. The loop survives it: the next poll tries again. */
  readonly onFailure: (err: unknown) => void;
}

/** The poll guarantees what a wake only speeds up. */
export const POLL_MS = 1_000;

/** Runs cycle after cycle while there may be more, else at the next wake or poll, no sooner than the pause allows. */
export function startPolling({ cycle, pauseMs = () => 0, onFailure }: PollingOptions): Polling {
  let stopped = false;
  // Counted, not flagged: a wake that arrives while a cycle is under way must cause another cycle.
  let wakeCount = 0;
  let endRest: (() => void) | undefined;

  const wake = () => {
    wakeCount += 1;
    endRest?.();
  };

  const rest = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      endRest = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  const roundOrFailure = async () => {
    try {
      return await cycle();
    } catch (err) {
      onFailure(err);
      return false;
    }
  };

  const run = async () => {
    await Promise.resolve(); // lets the first cycle already wake this loop
    while (!stopped) {
      const seenWakeCount = wakeCount;
      const startedAt = performance.now();
      const mayHaveMore = await roundOrFailure();
      if (mayHaveMore) continue;
      if (seenWakeCount === wakeCount) await rest();
      const early = startedAt + pauseMs() - performance.now();
      if (early > 0 && !stopped) await pause(early);
    }
  };
  const loop = run();

  return {
    wake,
    stop: async () => {
      stopped = true;
      wake();
      await loop;
    },
  };
}
