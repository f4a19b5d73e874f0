import type { MadeSeal, SealedLines } from '@insurance-verification/store';
import { type Job, startJob } from '../../queue/start-job.ts';
import type { Log } from '../../telemetry/log.ts';

export interface SealingOptions {
  /** Seals what is new, or the first part of it. */
  readonly seal: () => Promise<SealedLines>;
  /** Keeps each seal outside the database too. */
  readonly copy: ((seal: MadeSeal) => Promise<void>) | undefined;
  readonly log: Log;
}

/** Milliseconds between two seals: so long may a line stay unsealed, and so long do the processes leave it to another. */
const PAUSE_MS = 10_000;

/** The pause after a part of what was there before: as long as the part took, so half a connection's time at most. */
const PART_PAUSE_MS = { min: 100, max: PAUSE_MS };

/** Milliseconds between two lines about what stays as it is. */
const TOLD_MS = 60_000;

/**
 * Seals the audit every ten seconds. Every process tries, and the database lets one at a time. A failure is told and
 * tried again; nothing else waits for it.
 */
export function startSealing({ seal, copy, log }: SealingOptions): Job {
  let toldAt = Number.NEGATIVE_INFINITY;

  const tell = (level: 'warn' | 'error', fields: object, sentence: string) => {
    if (performance.now() - toldAt < TOLD_MS) return;
    toldAt = performance.now();
    log[level](fields, sentence);
  };

  const run = async (): Promise<number> => {
    const startedAt = performance.now();
    const sealed = await seal();
    if (sealed.kind === 'waiting')
      tell('warn', {}, 'the audit cannot be sealed: a transaction that may have written a line does not end');
    if (sealed.kind === 'damaged')
      tell(
        'error',
        { seal: sealed.number },
        'the newest seal of the audit was changed; nothing is sealed after it',
      );
    if (sealed.kind !== 'sealed') return PAUSE_MS;
    const { number, lineCount, note, drops } = sealed.seal;
    for (const drop of drops)
      log.warn({ drop: drop.number, note: drop.note }, 'lines of the audit were dropped with their month');
    log.info({ seal: number, lines: lineCount, note }, 'sealed the audit');
    await copy?.(sealed.seal);
    if (sealed.caughtUp) return PAUSE_MS;
    return Math.min(Math.max(performance.now() - startedAt, PART_PAUSE_MS.min), PART_PAUSE_MS.max);
  };

  return startJob({
    run,
    firstMs: { min: 0, max: PAUSE_MS },
    retryMs: { min: PAUSE_MS, max: PAUSE_MS },
    failure: 'sealing the audit failed; it is tried again',
    log,
  });
}
