import { type AlteredRow, COVERED_TABLES } from '@insurance-verification/store';
import { LRUCache } from 'lru-cache';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** Milliseconds between two lines about the same row: a client with its key may keep calling. */
const LINE_MS = 60_000;

export interface RowMacLog {
  readonly onAlteredRow: (row: AlteredRow) => void;
  readonly onForeignWrite: (row: AlteredRow) => void;
}

/**
 * Counts the rows that were read with a wrong MAC, and those that the database wrote otherwise than it was given, each
 * time; logs each row once a minute.
 */
export function createRowMacLog(
  { alteredRows, foreignWrites }: Pick<Metrics, 'alteredRows' | 'foreignWrites'>,
  log: Pick<Log, 'error'>,
): RowMacLog {
  // Prometheus sees no increase in a series that begins with its first event.
  for (const table of COVERED_TABLES) {
    alteredRows.inc({ table }, 0);
    foreignWrites.inc({ table }, 0);
  }
  alteredRows.inc({ table: 'event' }, 0);
  const logged = new LRUCache<string, true>({ max: 1_000, ttl: LINE_MS });
  const logOnce = ({ table, id }: AlteredRow, sentence: string) => {
    const name = `${table} ${id} ${sentence}`;
    if (logged.has(name)) return;
    logged.set(name, true);
    log.error({ table, row: id }, sentence);
  };
  return {
    onAlteredRow: (row) => {
      alteredRows.inc({ table: row.table });
      logOnce(
        row,
        'a row was not written by this service, is gone, or is under a master key that is not given: it counts as absent, a legal hold as standing',
      );
    },
    onForeignWrite: (row) => {
      foreignWrites.inc({ table: row.table });
      logOnce(
        row,
        'the database wrote another row than this service gave it, so nothing was done: somebody put a trigger or a rule on the table',
      );
    },
  };
}
