import type { AlteredRow } from '@insurance-verification/store';
import { LRUCache } from 'lru-cache';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** Milliseconds between two lines about the same row: whoever has its key may go on calling. */
const LINE_MS = 60_000;

/** Counts the rows whose MAC is wrong, each time that one is read, and logs each of them once a minute. */
export function createAlteredRowLog(
  { alteredRows }: Pick<Metrics, 'alteredRows'>,
  log: Pick<Log, 'error'>,
): (row: AlteredRow) => void {
  const logged = new LRUCache<string, true>({ max: 1_000, ttl: LINE_MS });
  return ({ table, id }) => {
    alteredRows.inc({ table });
    if (logged.has(`${table} ${id}`)) return;
    logged.set(`${table} ${id}`, true);
    log.error(
      { table, row: id },
      'a row that gives power was not written by this service, or under a master key that is not given: it counts as absent',
    );
  };
}
