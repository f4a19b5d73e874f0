import type { Log } from '../telemetry/log.ts';

export interface HousekeepingOptions {
  /** Removes expired data. */
  readonly clean: () => Promise<void>;
  readonly log: Log;
}

/** Milliseconds from the start to the first round: the start and its readiness come first. */
const FIRST_MS = 60_000;

const HOUR_MS = 3_600_000;

/**
 * Cleans about a minute after the start and hourly from then on, so that a process restarted within the hour cleans
 * too. The minute is jittered by half, so that processes started together do not all clean at once.
 */
export function startHousekeeping({ clean, log }: HousekeepingOptions): { readonly stop: () => void } {
  let stopped = false;
  const round = async () => {
    try {
      await clean();
    } catch (err) {
      if (!stopped) log.warn({ err }, 'housekeeping failed; the next hour tries again');
    }
    if (!stopped) timer = setTimeout(() => void round(), HOUR_MS);
  };
  let timer = setTimeout(() => void round(), FIRST_MS * (0.5 + Math.random()));
  return {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
