import type { LateMigration } from '@insurance-verification/store';
import type { Gauge } from 'prom-client';
import { type Rounds, startRounds } from '../../queue/start-rounds.ts';
import type { Log } from '../../telemetry/log.ts';

export interface LateMigrationsOptions {
  /** Those that the start has left. */
  readonly names: readonly string[];
  /** Runs the next one. */
  readonly run: (onBegin: (name: string) => void, signal: AbortSignal) => Promise<LateMigration>;
  /** Tells how many have not ended. */
  readonly pending: Pick<Gauge, 'set'>;
  readonly log: Log;
}

/** Milliseconds from the start to the first one: the start and its readiness come first. */
const FIRST_MS = 1_000;

/** How soon another process's work is looked after, and a failed one tried again; doubled with each failure. */
const PAUSE_MS = { min: 10_000, max: 600_000 };

/**
 * Runs the late migrations behind the start, one after the other, whichever process comes first. The others look until
 * all have ended: the one that runs them may be killed.
 */
export function startLateMigrations({ names, run, pending, log }: LateMigrationsOptions): Rounds | undefined {
  pending.set(names.length);
  if (names.length === 0) return undefined;
  const stopping = new AbortController();

  const round = async (): Promise<number | null> => {
    const startedAt = performance.now();
    const begin = (migration: string) => log.info({ migration }, 'a migration runs behind the start');
    const done = await run(begin, stopping.signal);
    if (done.kind === 'busy') return PAUSE_MS.min;
    pending.set(done.kind === 'ended' ? done.leftCount : 0);
    if (done.kind === 'none') return null;
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    log.info(
      { migration: done.name, seconds, left: done.leftCount },
      'a migration behind the start has ended',
    );
    return done.leftCount > 0 ? 0 : null;
  };

  const rounds = startRounds({
    round,
    firstMs: { min: FIRST_MS, max: FIRST_MS },
    retryMs: PAUSE_MS,
    failure: 'a migration behind the start failed; it is tried again',
    log,
  });
  return {
    stop: (deadlineMs) => {
      stopping.abort();
      return rounds.stop(deadlineMs);
    },
  };
}
