import { type BadTable, type SealedLines, TABLE_FAULTS } from '@insurance-verification/store';
import type { Counter } from 'prom-client';
import { type Job, startJob } from '../queue/start-job.ts';
import type { Log } from '../telemetry/log.ts';
import type { SealingStatus, SealingStop } from '../telemetry/sealing-status.ts';

interface SealingOptions {
  /**
   * Seals what is new, or the first part of it.
   * @param waitMs how long it waits for open transactions that may still write an earlier line; default: as long as the store does.
   */
  readonly seal: (waitMs?: number) => Promise<SealedLines>;
  readonly status: SealingStatus;
  readonly misdatedLines: Counter;
  readonly alteredTables: Counter<'fault'>;
  readonly log: Log;
}

export interface SealingJob extends Job {
  /** Seals what is left, at the end of the process: its own last lines too. Gives up after some seconds. */
  readonly sealRest: () => Promise<void>;
}

/** Milliseconds between two seals: so long may a line stay unsealed, and so long do the processes leave it to another. */
const PAUSE_MS = 10_000;

/** The pause after a part of what was there before: as long as the part took, so half a connection's time at most. */
const PART_PAUSE_MS = { min: 100, max: PAUSE_MS };

/** Milliseconds between two lines about what stays as it is. */
const LOG_MS = 60_000;

/** At the end: milliseconds for all of it, and for those who may still write an earlier line. */
const REST_MS = { deadline: 3_000, wait: 1_000 };

/**
 * Seals the audit every ten seconds. Every process tries, and the database lets one at a time. A failure is logged and
 * tried again; nothing else waits for it.
 */
export function startSealing({
  seal,
  status,
  misdatedLines,
  alteredTables,
  log,
}: SealingOptions): SealingJob {
  let loggedAt = Number.NEGATIVE_INFINITY;
  // Prometheus sees no increase in a series that begins with its first event.
  for (const fault of TABLE_FAULTS) alteredTables.inc({ fault }, 0);

  const logSeldom = (level: 'warn' | 'error', fields: object, sentence: string) => {
    if (performance.now() - loggedAt < LOG_MS) return;
    loggedAt = performance.now();
    log[level](fields, sentence);
  };

  const logStop = (stopped: SealingStop | null) => {
    if (stopped?.cause === 'blocked')
      logSeldom(
        'warn',
        { holders: stopped.holders },
        'the audit cannot be sealed: somebody holds a lock, or a transaction that may have written a line, and does not end',
      );
    if (stopped?.cause === 'damaged')
      logSeldom(
        'error',
        { seal: stopped.number },
        'the newest seal of the audit was changed; nothing is sealed after it',
      );
    if (stopped?.cause === 'differs')
      logSeldom(
        'error',
        { fault: stopped.fault, [stopped.of]: stopped.number },
        'the database is not what AUDIT_SEAL_FILE has: seals were removed or made anew, or a failover or a restored backup lost them; nothing is sealed until iv audit resume',
      );
  };

  const noteTables = (number: number, tables: readonly BadTable[]) => {
    for (const { fault } of tables) alteredTables.inc({ fault });
    if (tables.length > 0)
      log.error(
        { seal: number, tables },
        'tables of the audit, or whose rows give power, were not as the schema makes them when the audit was sealed: somebody put a trigger, a rule or a policy on them, or took ours away',
      );
  };

  const sealOnce = async (waitMs?: number): Promise<SealedLines> => {
    const sealed = await seal(waitMs);
    status.note(sealed);
    logStop(status.stopped());
    if (sealed.kind !== 'sealed') return sealed;
    const { number, lineCount, note, misdated, tables, drops } = sealed.seal;
    noteTables(number, tables);
    if (misdated.count > 0) {
      misdatedLines.inc(misdated.count);
      log.error(
        { seal: number, lines: misdated.count, first: misdated.ids },
        'lines of the audit have a time at which they cannot have been written: whoever wrote them chose it',
      );
    }
    for (const drop of drops)
      log.warn({ drop: drop.number, note: drop.note }, 'lines of the audit were dropped with their month');
    log.info({ seal: number, lines: lineCount, note }, 'sealed the audit');
    return sealed;
  };

  const run = async (): Promise<number> => {
    const startedAt = performance.now();
    const sealed = await sealOnce();
    const isPart = sealed.kind === 'copying' || (sealed.kind === 'sealed' && !sealed.caughtUp);
    if (!isPart) return PAUSE_MS;
    return Math.min(Math.max(performance.now() - startedAt, PART_PAUSE_MS.min), PART_PAUSE_MS.max);
  };

  const job = startJob({
    run,
    firstMs: { min: 0, max: PAUSE_MS },
    retryMs: { min: PAUSE_MS, max: PAUSE_MS },
    failure: 'sealing the audit failed; it is tried again',
    log,
  });

  const sealUntilDone = async () => {
    const deadline = performance.now() + REST_MS.deadline;
    while (performance.now() < deadline) {
      const sealed = await sealOnce(REST_MS.wait);
      if (sealed.kind === 'sealed' && !sealed.caughtUp) continue;
      if (sealed.kind !== 'busy') return;
      await new Promise((resolve) => setTimeout(resolve, 100)); // another process seals, maybe without these lines
    }
  };
  return {
    stop: job.stop,
    sealRest: () =>
      sealUntilDone().catch((err: unknown) =>
        log.warn({ err }, 'the last lines of the audit wait for another process to seal them'),
      ),
  };
}
