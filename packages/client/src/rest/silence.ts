/** The service's silence within a call that takes as long as its rows. The deadline of other calls is for the whole. */
export interface Silence {
  /** Aborts once the service was silent for too long, or the call is over. */
  readonly signal: AbortSignal;
  /** It is the service's turn: counts from zero. */
  restart(): void;
  /** It is the caller's turn: does not count. */
  pause(): void;
  /** The call is over: drops what of its answer was not read. */
  close(): void;
}

/** Counts the service's silence, up to `timeoutMs`. */
export function startSilence(timeoutMs: number): Silence {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pause = () => clearTimeout(timer);
  const restart = () => {
    pause();
    timer = setTimeout(() => controller.abort(), timeoutMs);
  };
  restart();
  return {
    signal: controller.signal,
    restart,
    pause,
    close: () => {
      pause();
      controller.abort();
    },
  };
}
