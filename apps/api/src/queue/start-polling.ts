/** A loop that works a queue. */
export interface Polling {
  /** There may be work: a round now rather than at the next poll. */
  readonly wake: () => void;
  /** No more rounds. Resolves when the one under way has ended. */
  readonly stop: () => Promise<void>;
}

export interface PollingOptions {
  /** True when there may be more at once. */
  readonly round: () => Promise<boolean>;
  /** Milliseconds at least from the start of a round to that of the next, unless there may be more at once. None when left out. */
  readonly pauseMs?: number;
  /** Told of a round that failed. The loop must not die of it: the next poll tries again. */
  readonly onFailure: (err: unknown) => void;
}

/** The poll guarantees what a wake only hastens. */
export const POLL_MS = 1_000;

/** Round after round while there may be more, else at the next wake or poll, and then no sooner than the pause allows. */
export function startPolling({ round, pauseMs = 0, onFailure }: PollingOptions): Polling {
  let stopped = false;
  // Counted, not flagged: a wake that arrives while a round is under way must cause another round.
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
      return await round();
    } catch (err) {
      onFailure(err);
      return false;
    }
  };

  const run = async () => {
    await Promise.resolve(); // so that a round may wake the loop that this makes
    while (!stopped) {
      const seenWakeCount = wakeCount;
      const startedAt = performance.now();
      const mayHaveMore = await roundOrFailure();
      if (mayHaveMore) continue;
      if (seenWakeCount === wakeCount) await rest();
      const early = startedAt + pauseMs - performance.now();
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
